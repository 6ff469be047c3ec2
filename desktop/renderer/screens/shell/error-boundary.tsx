import { TriangleAlert } from 'lucide-react';
import { Component, type ReactNode } from 'react';

import type { Engine } from '#desktop/engine/engine.ts';
import { appText } from '#desktop/renderer/text/en/app.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { EmptyState } from '#desktop/renderer/ui/empty-state.tsx';
import { forgetFailedViews } from '#desktop/renderer/use-live.ts';

interface ErrorBoundaryProps {
  /** Null while it is not there yet. */
  engine: Engine | null;
  /** A change of the place clears the error. */
  place?: string;
  children: ReactNode;
}

/** Shows an error message in place of content that failed to render. Trying again reloads the failed views. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidUpdate(before: ErrorBoundaryProps) {
    if (this.state.failed && before.place !== this.props.place) this.#retry();
  }

  readonly #retry = () => {
    if (this.props.engine !== null) forgetFailedViews(this.props.engine);
    this.setState({ failed: false });
  };

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return (
      <div role="alert">
        <EmptyState
          icon={<TriangleAlert />}
          title={appText.crashed}
          action={
            <Button tone="primary" onPress={this.#retry}>
              {appText.tryAgain}
            </Button>
          }
        >
          {appText.crashedHint}
        </EmptyState>
      </div>
    );
  }
}
