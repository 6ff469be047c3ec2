import { TriangleAlert } from 'lucide-react';
import { Component, type ReactNode } from 'react';

import type { Engine } from '#desktop/engine/engine.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { EmptyState } from '#desktop/renderer/ui/empty-state.tsx';
import { forgetFailedViews } from '#desktop/renderer/use-live.ts';

interface ErrorBoundaryProps {
  engine: Engine;
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
    forgetFailedViews(this.props.engine);
    this.setState({ failed: false });
  };

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return (
      <div role="alert">
        <EmptyState
          icon={<TriangleAlert />}
          title={text.app.crashed}
          action={
            <Button tone="primary" onPress={this.#retry}>
              {text.app.tryAgain}
            </Button>
          }
        >
          {text.app.crashedHint}
        </EmptyState>
      </div>
    );
  }
}
