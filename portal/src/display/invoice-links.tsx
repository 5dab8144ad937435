import { Anchor } from "@mantine/core";
import { t } from "../api/locale.ts";
import type { components } from "../api/paths.ts";

interface InvoiceLinksProps {
  invoices: readonly components["schemas"]["InvoiceReference"][];
  /** The reader: producers get a copy without the buyer's address. */
  reader: "library" | "sales" | "admin";
}

/** The invoices and credit notes of an order, as PDF. */
export const InvoiceLinks = ({ invoices, reader }: InvoiceLinksProps) =>
  invoices.map(({ id, kind, number }) => (
    <Anchor key={id} size="sm" href={`/portal/api/${reader}/invoices/${id}/pdf`} download>
      {t(kind === "invoice" ? "ui.invoice" : "ui.creditNote", { number })}
    </Anchor>
  ));
