import { escapeHtml } from "@beatmarket/foundation/text/html.ts";

/** A value for a template: a text, or the items of a list. */
export type Facts = Readonly<Record<string, string | readonly string[]>>;

/** The frame around the text of every mail: heading, footer and links. */
export interface MailFrame {
  /** BCP 47. */
  language: string;
  /** The sender's name. */
  site: string;
  logoUrl: string | null;
  /** The sender's name and postal address, which the law of many countries requires. */
  footer: string | null;
  links: readonly { name: string; url: string }[];
  /**
   * The page on which the recipient unsubscribes, the text of the link to it, and the line of the plain text. Null for
   * mails without a way to unsubscribe.
   */
  unsubscribe: { url: string; name: string; line: string } | null;
}

export interface RenderedMail {
  subject: string;
  text: string;
  html: string;
}

/**
 * Fills in a template, as plain text and as HTML. The first line of a template is the subject. Empty lines separate
 * blocks. `{name}` is replaced by the fact `name`.
 */
export function renderTemplate(template: string, facts: Facts, frame: MailFrame): RenderedMail {
  const [first = "", ...rest] = template.trim().split("\n");
  const blocks = rest
    .join("\n")
    .split(/\n{2,}/)
    .map((block) => block.trim());
  const subject = oneLine(fillIn(first.replace(/^#\s*/, ""), facts));
  const rendered = blocks.filter((block) => block !== "").flatMap((block) => blocksOf(block, facts));
  return {
    subject,
    text: textOf(rendered, frame),
    html: htmlOf(subject, rendered, frame),
  };
}

type Block = { kind: "paragraph"; text: string } | { kind: "list"; items: readonly string[] };

const placeholder = /\{(\w+)\}/g;

/** A placeholder that is alone in its block becomes a list, or a paragraph for each line of its text. */
function blocksOf(block: string, facts: Facts): Block[] {
  const onlyFact = facts[/^\{(\w+)\}$/.exec(block)?.[1] ?? ""];
  if (typeof onlyFact === "object")
    return onlyFact.length === 0 ? [] : [{ kind: "list", items: onlyFact.map(oneLine) }];
  if (onlyFact !== undefined)
    return onlyFact
      .split(/\n+/)
      .filter((line) => line.trim() !== "")
      .map((line) => ({ kind: "paragraph", text: oneLine(line) }));
  return [blockOf(block, facts)];
}

function blockOf(block: string, facts: Facts): Block {
  const lines = block.split("\n");
  if (lines.every((line) => line.startsWith("- ")))
    return { kind: "list", items: lines.map((line) => fillIn(line.slice(2), facts)) };
  return { kind: "paragraph", text: fillIn(lines.join(" "), facts) };
}

/** Replaces each placeholder once: braces within a fact stay as they are. */
const fillIn = (text: string, facts: Facts): string =>
  text.replace(placeholder, (match, name: string) => {
    const fact = facts[name];
    return fact === undefined ? match : oneLine(typeof fact === "string" ? fact : fact.join(", "));
  });

/** Removes line breaks, with which a fact could add a header or a line to a mail. */
const oneLine = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .trim();

const textOf = (blocks: readonly Block[], { site, footer, links, unsubscribe }: MailFrame): string =>
  `${[
    ...blocks.map((block) => (block.kind === "list" ? block.items.map((item) => `- ${item}`).join("\n") : block.text)),
    ["-- ", site, ...(footer === null ? [] : [footer]), ...links.map(({ name, url }) => `${name}: ${url}`)].join("\n"),
    ...(unsubscribe === null ? [] : [unsubscribe.line]),
  ].join("\n\n")}\n`;

const isUrl = (text: string): boolean => /^https?:\/\/\S+$/.test(text);

const htmlBlock = (block: Block): string => {
  if (block.kind === "list") return `<ul>${block.items.map((item) => `<li>${escapeHtml(item)}</li>`).join("")}</ul>`;
  const text = escapeHtml(block.text);
  return isUrl(block.text) ? `<p><a href="${text}">${text}</a></p>` : `<p>${text}</p>`;
};

/** Loads only the sender's logo, and stays readable without styles. */
const htmlOf = (
  subject: string,
  blocks: readonly Block[],
  { language, site, logoUrl, footer, links, unsubscribe }: MailFrame,
): string => `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:24px 12px;font:16px/1.5 system-ui,sans-serif">
<div style="max-width:560px;margin:0 auto;overflow-wrap:anywhere">
${logoUrl === null ? `<p><strong>${escapeHtml(site)}</strong></p>` : `<p><img src="${escapeHtml(logoUrl)}" alt="${escapeHtml(site)}" height="32"></p>`}
<h1 style="font-size:22px;line-height:1.3">${escapeHtml(subject)}</h1>
${blocks.map(htmlBlock).join("\n")}
<p style="font-size:13px">${[site, ...(footer === null ? [] : [footer])].map(escapeHtml).join("<br>")}</p>
<p style="font-size:13px">${links.map(({ name, url }) => `<a href="${escapeHtml(url)}">${escapeHtml(name)}</a>`).join(" · ")}</p>
${unsubscribe === null ? "" : `<p style="font-size:13px"><a href="${escapeHtml(unsubscribe.url)}">${escapeHtml(unsubscribe.name)}</a></p>`}
</div>
</body>
</html>
`;
