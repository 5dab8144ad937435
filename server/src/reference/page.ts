/** Raises Scalar's faintest texts to the contrast of WCAG AA, and shows "Try it" links as buttons. */
const customCss = `
.light-mode { --scalar-color-3: #636363; --scalar-color-red: #b3261e }
.dark-mode { --scalar-color-3: #a3a3a3; --scalar-color-red: #ff8a80 }
.scalar-app a[href^="/portal/explorer"] {
  display: inline-block !important; padding: 5px 14px !important; border-radius: 8px !important; font-weight: 600 !important;
  color: #fff !important; background: #5b3fd6 !important; text-decoration: none !important;
}
`;

/** Scalar's configuration. Names no other origin: no proxy, fonts, telemetry, assistant or links to its vendor's tools. */
const configuration = {
  url: "/explorer/openapi.json",
  theme: "default",
  layout: "modern",
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  hideTestRequestButton: true,
  showDeveloperTools: "never",
  // Show only the document's samples, which use our client libraries.
  hiddenClients: true,
  documentDownloadType: "json",
  customCss,
};

/**
 * Starts the bundle. A file of its own, since the content security policy forbids inline scripts. The portal embeds the page
 * in a frame and passes its colour scheme; links to the portal leave the frame.
 */
export const startScript = `const configuration = ${JSON.stringify(configuration)};
const scheme = new URLSearchParams(location.search).get("scheme");
if (scheme === "light" || scheme === "dark")
  Object.assign(configuration, { forceDarkModeState: scheme, hideDarkModeToggle: true });
if (top !== self) document.documentElement.classList.add("framed");
document.addEventListener("click", (event) => {
  const link = event.target.closest?.('a[href^="/portal"]');
  if (link === null || link === undefined || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  event.stopPropagation();
  top.location.assign(link.href);
}, true);
Scalar.createApiReference("#reference", configuration);
`;

/**
 * Allows requests to our own origin only. 'unsafe-inline' is for the style elements and attributes that Scalar writes. The
 * portal embeds the page in a frame.
 */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "connect-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join("; ");

/** The HTML page. `scripts` are URLs, executed in order. */
export const referencePage = (scripts: readonly string[]): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Beat Marketplace API</title>
<link rel="icon" href="data:,">
<style>
:root { --scalar-custom-header-height: 28px }
body { margin: 0 }
#notice {
  position: sticky; top: 0; z-index: 100; box-sizing: border-box; height: 28px; padding: 0 16px; overflow: hidden;
  font: 13px/28px system-ui, sans-serif; text-align: center; white-space: nowrap; color: #fff; background: #5b3fd6;
}
#notice a { color: inherit }
.framed { --scalar-custom-header-height: 0px }
.framed #notice { display: none }
</style>
</head>
<body>
<div id="notice" role="note"><strong>Pre-release demo.</strong> <a href="/portal/explorer">Make calls in the portal's explorer</a></div>
<div id="reference"></div>
${scripts.map((url) => `<script src="${url}" defer></script>`).join("\n")}
</body>
</html>
`;
