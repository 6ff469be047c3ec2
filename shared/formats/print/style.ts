/** A text as a string of CSS, escaped so that it can end neither the string nor the style element. */
function cssString(text: string): string {
  const escaped = Array.from(text, (character) =>
    /[A-Za-z0-9 ]/.test(character) ? character : `\\${(character.codePointAt(0) ?? 0xfffd).toString(16)} `,
  );
  return `"${escaped.join('')}"`;
}

/**
 * The style of a page: Benchbook's light theme on paper (`desktop/renderer/ui/tokens.css`). `footer`: the text at the
 * foot of every printed sheet. `font`: Inter as WOFF2 in base64, '' to use the reader's font.
 */
export function pageStyle(footer: string, font: string): string {
  const face =
    font === ''
      ? ''
      : `@font-face{font-family:"Inter Variable";font-weight:100 900;src:url(data:font/woff2;base64,${font}) format("woff2")}`;
  const foot = `font:8.5pt/1.2 ${fonts};color:#6b7079`;
  return `${face}
@page{margin:14mm 14mm 17mm;@bottom-left{content:${cssString(footer)};${foot}}@bottom-right{content:counter(page) " / " counter(pages);${foot}}}
${rules}`;
}

const fonts = '"Inter Variable",Inter,system-ui,sans-serif';

const rules = `:root{color-scheme:light;--paper:oklch(.975 .006 95);--surface:#fff;--sunken:oklch(.955 .006 95);--ink:oklch(.24 .025 255);--muted:oklch(.5 .02 255);--line:oklch(.89 .008 255);--accent:oklch(.47 .09 205);--accent-soft:oklch(.94 .03 205);--accent-text:oklch(.43 .085 205);--warn-soft:oklch(.96 .05 85);--warn-text:oklch(.47 .105 62);--danger-soft:oklch(.955 .03 27);--danger-text:oklch(.48 .18 27);--black:#1c2230;--red:#c1260c;--orange:#d66a00;--yellow:#e6b800;--green:#1f8a36;--light_blue:#1f9bd1;--blue:#2443e8;--violet:#8a2be2}
*,*::before,*::after{box-sizing:border-box}
html{background:var(--paper);-webkit-print-color-adjust:exact;print-color-adjust:exact}
body{margin:0 auto;padding:32px 20px 64px;max-width:1000px;font:15px/1.5 ${fonts};color:var(--ink);overflow-wrap:anywhere;font-optical-sizing:auto}
h1,h2,h3,h4,h5,h6,p,ul,ol,dl,dd,figure,blockquote{margin:0;padding:0}
h1{font-size:30px;line-height:1.15;font-weight:700;letter-spacing:-.02em;text-wrap:balance}
h2{font-size:19px;line-height:1.25;font-weight:670;letter-spacing:-.014em}
h3,h4,h5,h6{font-size:16px;font-weight:650}
a{color:var(--accent-text);text-underline-offset:2px}
img,svg{display:block}
article+article{margin-top:56px}
.head{display:grid;grid-template-columns:minmax(0,1fr) auto;gap:12px 28px;align-items:start;padding-bottom:20px;border-bottom:1px solid var(--line)}
.over{color:var(--accent-text);font-size:13px;font-weight:600}
.head h1{margin-top:4px}
.summary{margin-top:8px;font-size:17px;max-width:60ch;text-wrap:pretty}
.code{width:112px;text-align:center;font-size:11px;line-height:1.3;color:var(--muted)}
.code svg{width:112px;height:112px;margin-bottom:6px}
.about{grid-column:1/-1;display:flex;flex-wrap:wrap;gap:6px 28px;font-variant-numeric:tabular-nums}
.about dt{font-size:12px;color:var(--muted)}
.about dd{font-weight:600}
.address{grid-column:1/-1;font-size:12px;color:var(--muted)}
.flags{margin-top:16px;display:grid;gap:8px}
.notice{padding:9px 14px;border-radius:10px;background:var(--warn-soft);color:var(--ink)}
.notice strong{color:var(--warn-text)}
.lead{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,42%);gap:20px 28px;margin-top:20px;align-items:start}
.lead>:only-child{grid-column:1/-1}
.lists{columns:260px 3;column-gap:28px;margin-top:24px}
.lists section{break-inside:avoid;padding-bottom:20px}
.supplies,.plain{list-style:none;margin-top:8px;border-top:1px solid var(--line)}
.supplies li,.plain li{display:flex;gap:12px;padding:6px 0;border-bottom:1px solid var(--line);break-inside:avoid}
.supplies b{font-weight:600}
.supplies small,.plain small{display:block;font-size:12.5px;color:var(--muted)}
.count{min-width:2.2em;color:var(--muted);font-variant-numeric:tabular-nums}
.cautions{margin-top:8px;padding:14px 16px;border-radius:10px;background:var(--danger-soft);break-inside:avoid}
.cautions h2{color:var(--danger-text);font-size:16px}
.cautions ol{margin:6px 0 0;padding-inline-start:0;list-style:none}
.cautions li{display:flex;gap:12px;padding:3px 0}
.cautions li>a{flex:none;min-width:5.4em;color:var(--danger-text);text-decoration:none;font-weight:600}
.step{margin-top:28px;padding-top:20px;border-top:1px solid var(--line)}
.step>h2 small{display:block;font-size:12.5px;font-weight:600;letter-spacing:0;color:var(--accent-text);margin-bottom:2px}
.work{display:grid;grid-template-columns:minmax(0,54%) minmax(0,1fr);gap:16px 24px;margin-top:12px;align-items:start}
.work>:only-child{grid-column:1/-1}
.pictures{display:flex;flex-wrap:wrap;gap:8px;align-items:flex-start}
.picture{position:relative;max-width:100%}
.pictures .picture:not(:first-child){max-width:calc(50% - 4px)}
.picture img{max-width:100%;max-height:400px;width:auto;height:auto;border-radius:10px}
.picture svg{position:absolute;inset:0;width:100%;height:100%}
.missing{padding:24px;border-radius:10px;background:var(--sunken);color:var(--muted);font-size:13px}
.film{margin-top:8px;font-size:13px}
.lines{list-style:none;display:grid;gap:9px;font-size:16px;line-height:1.45}
.lines li{display:flex;gap:12px;align-items:flex-start;break-inside:avoid}
.mark{flex:none;width:.95em;height:.95em;margin-top:.26em;overflow:visible;fill:var(--fill);stroke:color-mix(in oklab,var(--fill) 68%,var(--ink));stroke-width:1.5}
.black{--fill:var(--black)}.red{--fill:var(--red)}.orange{--fill:var(--orange)}.yellow{--fill:var(--yellow)}.green{--fill:var(--green)}.light_blue{--fill:var(--light_blue)}.blue{--fill:var(--blue)}.violet{--fill:var(--violet)}
.level-1{margin-inline-start:1.7em}.level-2{margin-inline-start:3.4em}.level-3{margin-inline-start:5.1em}
.block{padding:9px 12px;border-radius:10px}
.icon{flex:none;width:1.35em;height:1.35em;margin-top:.04em;fill:none;stroke:currentColor;stroke-width:2;stroke-linecap:round;stroke-linejoin:round}
.icon_caution{background:var(--danger-soft)}.icon_caution .icon{color:var(--danger-text)}
.icon_reminder{background:var(--warn-soft)}.icon_reminder .icon{color:var(--warn-text)}
.icon_note{background:var(--accent-soft)}.icon_note .icon{color:var(--accent-text)}
.rich>*+*{margin-top:.7em}
.rich :is(h2,h3,h4,h5,h6){margin-top:1.2em;font-size:16px;break-after:avoid}
.rich>:first-child{margin-top:0}
.rich :is(ul,ol){padding-inline-start:1.4em}
.rich :is(code,pre){padding:.1em .35em;border-radius:6px;background:var(--sunken);font-size:.92em}
.rich pre{padding:12px;white-space:pre-wrap}
.rich table{border-collapse:collapse}
.rich :is(th,td){padding:6px 10px;border:1px solid var(--line);text-align:start;vertical-align:top}
.rich blockquote{padding-inline-start:12px;border-inline-start:3px solid var(--line);color:var(--muted)}
.rich img{max-width:100%;height:auto;border-radius:10px}
.form{margin-top:16px;break-inside:avoid}
.after{margin-top:28px;padding-top:20px;border-top:1px solid var(--line)}
.after h2{margin-bottom:8px}
.signatures{list-style:none;padding:0}.signatures li{display:grid;grid-template-columns:2fr 1fr 2fr auto;gap:4px 16px;padding:6px 0;border-top:1px solid var(--line);break-inside:avoid}.signatures li>:nth-child(3){color:var(--muted)}
@media (max-width:640px){.work,.lead{grid-template-columns:minmax(0,1fr)}.head{grid-template-columns:minmax(0,1fr)}}
@media print{html{background:none}body{padding:0;max-width:none;font-size:10.5pt}h1{font-size:21pt}h2{font-size:13pt}.summary,.lines{font-size:11pt}article+article{break-before:page;margin-top:0}.step{break-inside:avoid;margin-top:7mm;padding-top:5mm}.step>h2,.lists h2,.after h2{break-after:avoid}.work{grid-template-columns:minmax(0,50%) minmax(0,1fr)}.picture img{max-height:92mm}.picture:not(:last-child) img{max-height:66mm}.picture+.picture img{max-height:32mm}.lead .picture img{max-height:70mm}a{color:inherit;text-decoration-color:var(--muted)}}`;
