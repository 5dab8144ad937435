import groups from "virtual:docs-contents";
import { Anchor, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { ApiChanges } from "../../display/api-changes.tsx";
import { DocumentLink } from "../../display/document-link.tsx";
import { Page } from "../../display/page.tsx";
import classes from "./docs.module.css";
import { DocsLayout } from "./docs-layout.tsx";

/** The documents, grouped by reader. */
export function DocsPage() {
  return (
    <DocsLayout path="/docs">
      <Page
        title="Docs"
        lead={
          <>
            Guides and rules. Every call with its fields is in the{" "}
            <DocumentLink href="/explorer">reference</DocumentLink>, and what changed in the{" "}
            <DocumentLink href="/changelog">changelog</DocumentLink>.
          </>
        }
      >
        <ApiChanges />
        {groups.map(({ title, pages }) => (
          <section key={title} aria-labelledby={`group-${title}`}>
            <Title order={2} size="h3" id={`group-${title}`} mb="xs">
              {title}
            </Title>
            <ul className={classes.overview}>
              {pages.map((page) => (
                <li key={page.path}>
                  <Anchor renderRoot={(props) => <Link to={page.path} {...props} />} fw={500} underline="hover">
                    {page.title}
                  </Anchor>
                  <Text size="sm" c="dimmed">
                    {page.summary}
                  </Text>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </Page>
    </DocsLayout>
  );
}
