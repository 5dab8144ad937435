import { Group, Title } from "@mantine/core";
import { Link, useLoaderData, useRouter } from "@tanstack/react-router";
import type { MouseEvent } from "react";
import { DocumentLink } from "../../display/document-link.tsx";
import { useTitle } from "../../display/use-title.ts";
import classes from "./docs.module.css";
import { DocsLayout } from "./docs-layout.tsx";
import type { Guide } from "./documents.ts";
import { TableOfContents } from "./table-of-contents.tsx";

/** A document that the build converted from Markdown: a guide, or the README or reference of a client library. */
export function GuidePage() {
  // All routes of documents load a `Guide`.
  const guide = useLoaderData({ strict: false }) as Guide;
  const { path, title, titleId, html, headings, markdown, previous, next } = guide;
  const router = useRouter();
  useTitle(title);

  const onClick = (event: MouseEvent) => {
    const target = event.target as Element;
    const copy = target.closest("[data-copy]");
    if (copy !== null) void copyCode(copy);
    const link = target.closest("a");
    const href = link?.getAttribute("href") ?? "";
    const isOurs = href.startsWith("/portal/") || href.startsWith("#");
    const hasModifier = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
    if (!isOurs || hasModifier || event.button !== 0) return;
    event.preventDefault();
    router.history.push(href.startsWith("#") ? `/portal${path}${href}` : href);
  };

  return (
    <DocsLayout path={path}>
      <div className={classes.reading}>
        <article className={classes.article} key={path}>
          <Group justify="space-between" gap="xs" align="baseline">
            <Title order={1} id={titleId}>
              {title}
            </Title>
            <DocumentLink href={markdown}>As Markdown</DocumentLink>
          </Group>
          {/* biome-ignore lint/a11y/useKeyWithClickEvents: links and buttons send a click for a key as well */}
          {/* biome-ignore lint/a11y/noStaticElementInteractions: the same */}
          {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own documents, whose HTML the build makes */}
          <div onClick={onClick} dangerouslySetInnerHTML={{ __html: html }} />
          <nav className={classes.neighbours} aria-label="Previous and next">
            {previous !== null && (
              <Link to={previous.path} rel="prev">
                <small>Previous</small> {previous.title}
              </Link>
            )}
            {next !== null && (
              <Link to={next.path} rel="next">
                <small>Next</small> {next.title}
              </Link>
            )}
          </nav>
        </article>
        <TableOfContents headings={headings} key={`contents of ${path}`} />
      </div>
    </DocsLayout>
  );
}

async function copyCode(button: Element): Promise<void> {
  const code = button.parentElement?.querySelector("code")?.textContent ?? "";
  button.textContent = await navigator.clipboard.writeText(code).then(
    () => "Copied",
    () => "Not copied",
  );
}
