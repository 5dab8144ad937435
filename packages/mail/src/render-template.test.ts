import { expect, test } from "vitest";
import { type MailFrame, renderTemplate } from "./render-template.ts";

const frame: MailFrame = {
  language: "en",
  site: "Shop & Co",
  logoUrl: null,
  footer: "1 Street",
  links: [{ name: "Terms", url: "https://shop.example/terms" }],
  unsubscribe: null,
};

const template = `# Hello {name}

A line of text
in one paragraph for {name}.

{items}

{link}
`;
const facts = { name: "Ada", items: ["one", "two"], link: "https://shop.example/?a=1&b=2" };

test("a template is rendered as a subject, paragraphs, lists and links, in text and in HTML", () => {
  const { subject, text, html } = renderTemplate(template, facts, frame);
  expect(subject).toBe("Hello Ada");
  expect(text).toBe(
    `A line of text in one paragraph for Ada.\n\n- one\n- two\n\n${facts.link}\n\n-- \nShop & Co\n1 Street\nTerms: https://shop.example/terms\n`,
  );
  for (const part of [
    '<html lang="en">',
    "<strong>Shop &amp; Co</strong>",
    "<p>A line of text in one paragraph for Ada.</p>",
    "<ul><li>one</li><li>two</li></ul>",
    '<a href="https://shop.example/?a=1&amp;b=2">',
  ])
    expect(html).toContain(part);
});

test("a fact adds no line, no header, no HTML and no other fact", () => {
  const name = "<b>\r\nBcc: x@y.z {link}";
  const { subject, text, html } = renderTemplate(template, { ...facts, name }, frame);
  expect(subject).toBe("Hello <b> Bcc: x@y.z {link}");
  expect(text).not.toContain("\r");
  expect(html).not.toContain("<b>");
});

test("unused facts are ignored, and an empty list is omitted", () => {
  const { text } = renderTemplate("# Hello\n\n{items}\n\nBye.", { items: [], other: "x" }, frame);
  expect(text).toMatch(/^Bye\.\n/);
});

test("an optional mail has a link to unsubscribe, in text and in HTML", () => {
  const unsubscribe = { url: "https://shop.example/off?x&y", name: "Switch off", line: "Switch off: https://…" };
  const { text, html } = renderTemplate(template, facts, { ...frame, unsubscribe });
  expect(text).toContain("\n\nSwitch off: https://…\n");
  expect(html).toContain('<a href="https://shop.example/off?x&amp;y">Switch off</a>');
});
