import { Button, Group } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { Home } from "../../api/home.ts";
import { Section } from "../../display/section.tsx";

const pages = {
  sales: { to: "/sales", label: "Sales" },
  studio: { to: "/studio", label: "Your beats" },
  library: { to: "/library", label: "What you bought" },
  market: { to: "/market", label: "Find a beat" },
} as const;

/** Links to the pages of producers and buyers. Introduces buying and selling to newcomers. */
export function ShopPart({ shop: { buys, produces, sells } }: Pick<Home, "shop">) {
  const ownPages = [
    ...(sells ? [pages.sales] : []),
    ...(produces ? [pages.studio] : []),
    ...(buys ? [pages.library] : []),
  ];
  const isNew = ownPages.length === 0;
  const links = isNew ? [pages.market, { ...pages.studio, label: "Sell your own" }] : [...ownPages, pages.market];
  return (
    <Section title={isNew ? "Buy and sell beats" : "Your shop"} note={isNew ? "No API key is needed." : undefined}>
      <Group gap="xs">
        {links.map(({ to, label }, index) => (
          <Button
            key={to}
            variant={index === 0 && !isNew ? "filled" : "default"}
            renderRoot={(props) => <Link to={to} {...props} />}
          >
            {label}
          </Button>
        ))}
      </Group>
    </Section>
  );
}
