import { classNames } from './class-names.ts';
import styles from './rich-html.module.css';

/** Shows HTML that the engine has rendered and made safe. */
export function RichHtml({ html, size = 'body' }: { html: string; size?: 'body' | 'line' }) {
  return <div className={classNames(styles, 'rich', size)} dangerouslySetInnerHTML={{ __html: html }} />;
}
