import { escapeHtml } from "@beatmarket/foundation/text/html.ts";
import { hashSource } from "./hash-source.ts";
import type { HttpResponse } from "./http-response.ts";

export interface HtmlPageKind {
  /** The kind of page in English, shown above the heading: "Payment". */
  name: string;
  /** CSS that is appended to the common style. */
  style: string;
  /** Inline scripts that the bodies may contain. */
  scripts?: readonly string[];
  /** Whether the page may submit forms to this server. */
  hasForms?: boolean;
  /** Whether the page plays audio from this server. */
  hasAudio?: boolean;
}

interface PageContent {
  title: string;
  /** HTML. */
  body: string;
  /** The kind of page in the page's language. Absent: `HtmlPageKind.name`. */
  kind?: string;
  /** BCP 47. Absent: en. */
  language?: string;
}

/** Renders a page of one kind. */
export type HtmlPage = (status: number, page: PageContent) => FramedResponse;

/** The site that the pages belong to. */
export interface PageFrame {
  name: string;
  /** The path of the logo on this server; null without a logo. */
  logo: string | null;
  /** CSS that is appended to the page's own. */
  style: string;
  /** HTML at the end of each page. */
  footer: string;
}

/** A page that can also be rendered within the frame of a site. Alone, it has neither the site's name nor its links. */
export interface FramedResponse extends HttpResponse {
  within(frame: PageFrame): { body: string; policy: string };
}

/**
 * Creates a renderer for pages outside of the web app, which need no sign-in. A page is one document without external
 * resources, with a light and a dark theme. It is not cached, embedded or indexed, and sends no referrer. Its content
 * security policy allows style and scripts by hash.
 */
export function htmlPage({
  name,
  style: ownStyle,
  scripts = [],
  hasForms = false,
  hasAudio = false,
}: HtmlPageKind): HtmlPage {
  /** A framed page may always submit forms, since the site's footer has a form that changes the language. */
  const policyOf = (style: string, { hasLogo, isFramed }: { hasLogo: boolean; isFramed: boolean }): string =>
    [
      "default-src 'none'",
      `style-src ${hashSource(style)}`,
      ...(scripts.length === 0 ? [] : [`script-src ${scripts.map(hashSource).join(" ")}`]),
      // Allows the icon, which is an empty data URL.
      `img-src data:${hasLogo ? " 'self'" : ""}`,
      ...(hasAudio ? ["media-src 'self'"] : []),
      "base-uri 'none'",
      `form-action ${hasForms || isFramed ? "'self'" : "'none'"}`,
      "frame-ancestors 'none'",
    ].join("; ");
  const style = commonStyle + ownStyle;
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": policyOf(style, { hasLogo: false, isFramed: false }),
    ...privatePageHeaders,
  };
  return (status, { title, body, kind = name, language = "en" }) => ({
    status,
    headers: { ...headers, "content-language": language },
    body: documentOf({ title, style, kind, body, language, frame: null }),
    within: (frame) => {
      const framedStyle = style + frame.style;
      return {
        body: documentOf({ title: `${title} · ${frame.name}`, style: framedStyle, kind, body, language, frame }),
        policy: policyOf(framedStyle, { hasLogo: frame.logo !== null, isFramed: true }),
      };
    },
  });
}

interface HtmlDocument extends Required<PageContent> {
  style: string;
  frame: PageFrame | null;
}

const documentOf = ({ title, style, kind, body, language, frame }: HtmlDocument): string => `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
${frame === null ? "" : siteHead(frame)}<main>
<p class="kind">${escapeHtml(kind)}</p>
${body}
</main>
${frame === null ? "" : siteFoot(frame)}</body>
</html>
`;

const siteHead = ({ name, logo }: PageFrame): string => `<header class="site"><a href="/">${
  logo === null ? "" : `<img src="${escapeHtml(logo)}" alt="" height="28"> `
}${escapeHtml(name)}</a></header>
`;

const siteFoot = ({ footer }: PageFrame): string => `<footer class="site">${footer}</footer>
`;

/** Headers for a response whose URL alone grants access to its content. */
export const privatePageHeaders = {
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
};

/** Colours and type of all these pages, light and dark. */
const commonStyle = `
:root { color-scheme: light dark; --text: #1f1e28; --faint: #585663; --line: #e6e5eb; --card: #fff; --ground: #f5f4f8;
  --accent: #6840e8; --good: #066a4b; --good-ground: #dff6ee; --bad: #b32222; --bad-ground: #fdeaea }
@media (prefers-color-scheme: dark) { :root { --text: #e8e7ec; --faint: #a3a2ab; --line: #2f2d38; --card: #17161e;
  --ground: #100e15; --accent: #b5a5ff; --good: #63e6be; --good-ground: #16322b; --bad: #ffa8a8; --bad-ground: #3a2022 } }
* { box-sizing: border-box }
body { margin: 0; padding: 24px 12px; background: var(--ground); color: var(--text);
  font: 15px/1.55 "Geist Variable", system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; overflow-wrap: anywhere }
.site { max-width: 720px; margin: 0 auto 16px }
.site a { display: inline-flex; align-items: center; gap: 8px; min-height: 32px; margin-inline-end: 16px; color: var(--text); text-underline-offset: 3px }
header.site a { font-size: 17px; font-weight: 650; text-decoration: none }
footer.site { margin: 16px auto 0; font-size: 14px }
.site a:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px }
main { max-width: 720px; margin: 0 auto; padding: 24px clamp(16px, 5vw, 44px) 32px; background: var(--card);
  border: 1px solid var(--line); border-radius: 10px }
h1 { margin: 4px 0 0; font-weight: 600; font-size: clamp(24px, 6vw, 32px); line-height: 1.2; letter-spacing: -.02em }
p { margin: 8px 0 }
dd { margin: 0 }
.kind { margin: 0; color: var(--faint); font-size: 13px; font-weight: 500 }
.faint { color: var(--faint); font-size: 14px }
.state { margin: 16px 0; padding: 12px 16px; border-radius: 6px; background: var(--ground); font-weight: 600 }
.good { color: var(--good); background: var(--good-ground) }
.bad { color: var(--bad); background: var(--bad-ground) }
`;
