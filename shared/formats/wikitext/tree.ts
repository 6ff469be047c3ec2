/** The seven character formats, in the order in which equal spans are nested, outermost first. */
export const MARK_NAMES = ['em', 'strong', 'underline', 'strike', 'sup', 'sub', 'code'] as const;
export type MarkName = (typeof MARK_NAMES)[number];

export type Align = 'left' | 'center' | 'right';

export interface Text {
  readonly type: 'text';
  readonly text: string;
}

export interface Break {
  readonly type: 'break';
}

export interface Mark {
  readonly type: 'mark';
  readonly mark: MarkName;
  readonly children: readonly Inline[];
}

/** A bare web address in running text. */
export interface Autolink {
  readonly type: 'autolink';
  readonly url: string;
}

/** `[url|text]` and `[link|url|text]`; without a text the address itself is shown. */
export interface Link {
  readonly type: 'link';
  readonly url: string;
  readonly newWindow: boolean;
  readonly children: readonly Inline[];
}

/**
 * `[guide|id|text|stepid=n]`, or with the exact title instead of the id; without a text the guide's title is shown.
 * `source`: the wiki text itself.
 */
export interface GuideLink {
  readonly type: 'guide';
  readonly guide: number | string;
  readonly stepid: number | null;
  readonly newWindow: boolean;
  readonly children: readonly Inline[];
  readonly source: string;
}

export interface ProductLink {
  readonly type: 'product';
  readonly code: string;
  readonly newWindow: boolean;
  readonly children: readonly Inline[];
  readonly source: string;
}

export interface MailLink {
  readonly type: 'mailto';
  readonly address: string;
  readonly children: readonly Inline[];
}

export interface Image {
  readonly type: 'image';
  readonly imageid: number;
  readonly align: Align;
  readonly size: string;
}

export interface Video {
  readonly type: 'video';
  readonly url: string;
  readonly align: Align;
  readonly size: string;
  readonly source: string;
}

export interface GuideList {
  readonly type: 'guidelist';
  readonly options: Readonly<Record<string, string>>;
  readonly source: string;
}

export type Inline =
  | Text
  | Break
  | Mark
  | Autolink
  | Link
  | GuideLink
  | ProductLink
  | MailLink
  | Image
  | Video
  | GuideList;

export interface Paragraph {
  readonly type: 'paragraph';
  readonly children: readonly Inline[];
}

export interface Heading {
  readonly type: 'heading';
  readonly level: number;
  readonly children: readonly Inline[];
}

export interface ListItem {
  readonly children: readonly Inline[];
  readonly lists: readonly List[];
}

export interface List {
  readonly type: 'list';
  readonly ordered: boolean;
  readonly items: readonly ListItem[];
}

export interface CodeBlock {
  readonly type: 'code';
  readonly text: string;
}

export interface Quote {
  readonly type: 'quote';
  readonly format: 'long' | 'featured';
  readonly attribution: readonly Inline[];
  readonly children: readonly Block[];
}

export interface TableCell {
  readonly header: boolean;
  readonly colspan: number;
  readonly rowspan: number;
  readonly children: readonly Inline[];
}

export interface Table {
  readonly type: 'table';
  readonly caption: readonly Inline[];
  readonly rows: readonly (readonly TableCell[])[];
  readonly source: string;
}

export type Block = Paragraph | Heading | List | CodeBlock | Quote | Table | Video | GuideList;
