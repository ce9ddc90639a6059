// The widget's look, independent of the surrounding page; sizes and colors can be set from outside with
// custom properties.

export const STYLE = `
:host { display: block; font: var(--voxgate-font, 14px/1.4 system-ui, sans-serif); color: var(--voxgate-text, #1b1f24); }
:host([hidden]) { display: none; }
section { border: 1px solid var(--voxgate-border, #8a919b); border-radius: 8px; padding: 12px; background: var(--voxgate-background, #fff); }
h2 { font-size: 1em; margin: 0 0 8px; }
.state { display: flex; align-items: center; gap: 8px; font-size: 1.15em; font-weight: 600; margin: 0; }
.mark { inline-size: 1.4em; block-size: 1.4em; flex: none; border-radius: 50%; display: grid; place-items: center; color: #fff; background: #59636e; }
.GOOD .mark { background: #17703a; }
.WARNING .mark { background: #8a5a00; }
.ALARM .mark { background: #b42318; border-radius: 4px; }
.more { margin: 4px 0 0; }
.prompt { margin: 8px 0 0; font-size: 1.15em; }
.prompt:empty { margin: 0; }
.facts { margin: 8px 0; }
.facts span { display: inline-block; margin-inline-end: 12px; }
meter { inline-size: 100%; block-size: 8px; }
.buttons { display: flex; flex-wrap: wrap; gap: 8px; margin-block-start: 8px; }
button { font: inherit; min-block-size: 32px; padding: 4px 12px; border: 1px solid #59636e; border-radius: 6px; background: #fff; color: #1b1f24; cursor: pointer; }
button.first { background: #0b5cad; border-color: #0b5cad; color: #fff; }
button:disabled { opacity: 1; background: #eceff2; border-color: #8a919b; color: #59636e; cursor: default; }
button:focus-visible, input:focus-visible { outline: 3px solid #0b5cad; outline-offset: 2px; }
.note { margin: 8px 0 0; min-block-size: 1.4em; }
[hidden] { display: none !important; }
@media (prefers-color-scheme: dark) {
  :host { color: var(--voxgate-text, #e8eaed); }
  section { background: var(--voxgate-background, #1b1f24); }
  button { background: #2b3138; color: #e8eaed; border-color: #8a919b; }
  button:disabled { background: #1b1f24; color: #9aa3ad; }
}
@media (forced-colors: active) { .mark { border: 1px solid; } }
`;
