/** The one style of the page; its content security policy knows it by its hash. */
export const pageStyle = `
:root { color-scheme: light dark; --text: #1f1f24; --faint: #5c5c66; --line: #d9d9e0; --card: #fff; --ground: #f4f4f7;
  --accent: #5b3fd6; --good: #1b6e3c; --bad: #b3261e }
@media (prefers-color-scheme: dark) { :root { --text: #f0f0f4; --faint: #b0b0ba; --line: #3c3c46; --card: #1f1f26;
  --ground: #141419; --accent: #6a4fe0; --good: #7fd6a0; --bad: #ff9a92 } }
* { box-sizing: border-box }
body { margin: 0; padding: 24px 16px; background: var(--ground); color: var(--text); font: 16px/1.5 system-ui, sans-serif }
main { max-width: 440px; margin: 0 auto; padding: 24px; background: var(--card); border: 1px solid var(--line);
  border-radius: 12px; overflow-wrap: anywhere }
h1 { margin: 0 0 4px; font-size: 24px; line-height: 1.25 }
p { margin: 0 0 16px }
.kind, .faint { color: var(--faint); font-size: 14px }
dl { margin: 0 0 20px; border-top: 1px solid var(--line) }
dl div { display: flex; justify-content: space-between; gap: 16px; padding: 10px 0; border-bottom: 1px solid var(--line) }
dt { color: var(--faint) }
dd { margin: 0; text-align: end; font-weight: 600 }
.state { font-weight: 600 }
.good { color: var(--good) }
.bad { color: var(--bad) }
form { display: grid; gap: 12px }
.button { display: block; width: 100%; min-height: 48px; padding: 11px 16px; border: 1px solid var(--accent);
  border-radius: 8px; background: var(--accent); color: #fff; font: inherit; font-weight: 600; text-align: center;
  text-decoration: none; cursor: pointer }
.plain { background: none; border-color: var(--line); color: var(--text) }
.button:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px }
`;
