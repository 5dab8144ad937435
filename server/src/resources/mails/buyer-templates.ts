import { libraryLink, sampleOrder, sampleReport, type Template } from "./facts.ts";

/** Mails to people who buy, download or report a beat, by name. */
export const buyerTemplates = {
  receipt: {
    description: "To the buyer, when a payment has succeeded.",
    sample: {
      total: { cents: 9_480, currency: "USD" },
      at: sampleOrder.at,
      items: [
        "Midnight Lantern, by Nightowl: premium license, 59.90 USD",
        "Sunrise, by Lark: basic license, 34.90 USD",
      ],
      link: libraryLink,
      invoices: "Your invoices are there, too: INV-2026-000042 and INV-2026-000043.",
      orders: "1042, 1043",
    },
  },
  library: {
    description: "To an address whose owner requests the link to its purchases.",
    sample: { link: libraryLink },
  },
  "license-usage": {
    description: "To the holder of a license, when the reported usage reaches 80 or 100 percent of a limit.",
    sample: {
      title: "Midnight Lantern",
      license: "basic",
      order: "1042",
      use: "streams",
      percent: "80",
      used: "81,200",
      limit: "100,000",
      remedy: "For more, buy the premium license. It costs 30.00 USD today.",
      link: libraryLink,
    },
  },
  "no-orders": {
    description: "To an address without purchases whose owner requests the link to them.",
    sample: { link: "https://beats.example/library" },
  },
  "free-download": {
    description: "To an address for which a free download is requested, to confirm the address.",
    sample: {
      title: sampleOrder.title,
      producer: "Nightowl",
      link: "https://beats.example/free-downloads/hPZ2v7mJqXc1LrT5sNfDaYk8wE3oGbUi",
    },
  },
  refund: {
    description: "To the buyer, when an order was refunded in full or in part.",
    sample: {
      ...sampleOrder,
      refunded: sampleOrder.amount,
      outcome: { text: "mail.ended" },
    },
  },
  "files-withdrawn": {
    description: "To each buyer of a beat that is taken down with its files.",
    sample: {
      beat: "7",
      title: sampleOrder.title,
      order: sampleOrder.order,
      reason: "The sample of the hook was not cleared.",
      link: libraryLink,
    },
  },
  "files-restored": {
    description: "To each buyer of a beat, when a takedown that withdrew its files ends.",
    sample: {
      beat: "7",
      title: sampleOrder.title,
      order: sampleOrder.order,
      reason: "The sample is cleared.",
      link: libraryLink,
    },
  },
  "report-received": {
    description: "To the address that reports a beat.",
    sample: sampleReport,
  },
  "report-upheld": {
    description: "To the address that reported a beat, when an operator upholds the report.",
    sample: { ...sampleReport, decision: "The hook is the one of the record that you named." },
  },
  "report-rejected": {
    description: "To the address that reported a beat, when an operator rejects the report.",
    sample: { ...sampleReport, decision: "The producer has shown the session of the recording." },
  },
  dispute: {
    description: "To the buyer, when their bank takes a payment back.",
    sample: sampleOrder,
  },
  "refund-refused": {
    description: "To the buyer, when an operator refuses a refund.",
    sample: {
      order: sampleOrder.order,
      title: sampleOrder.title,
      message: "The files were downloaded and are whole.",
      link: libraryLink,
    },
  },
  "message-to-buyer": {
    description: "To the buyer, when the producer answers.",
    sample: {
      order: sampleOrder.order,
      title: sampleOrder.title,
      producer: "Nightowl",
      message: "Gladly, it is on its way.",
      link: libraryLink,
    },
  },
} as const satisfies Record<string, Template>;
