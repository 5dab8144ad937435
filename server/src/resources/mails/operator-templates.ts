import { order, reported } from "./sample-facts.ts";
import type { Template } from "./template.ts";

/** Mails to operators, by name. */
export const operatorTemplates = {
  "takedown-answered": {
    description: "To all operators, when a producer answers a takedown.",
    text: `# {producer} answers the takedown of {title}

You took “{title}”, beat {beat} by {producer}, down:

{reason}

The producer says:

{message}

Decide about it here:

{link}
`,
    sample: {
      ...{ beat: "7", title: order.title, producer: "Nightowl", reason: "The sample of the hook was not cleared." },
      message: "The hook is mine: I played it on my own guitar, and have the session.",
      link: "https://beats.example/portal/admin/beats?q=7",
    },
  },
  "report-to-review": {
    description: "To all operators, when a beat is reported.",
    text: `# {title} was reported

The beat “{title}”, number {beat}, by {producer} was reported: {reason}.

{message}

Look into it here:

{link}
`,
    sample: { ...reported, link: "https://beats.example/portal/admin/reports?beat=7" },
  },
  "report-countered": {
    description: "To all operators, when a producer counters a report.",
    text: `# {producer} counters the report of {title}

The beat “{title}”, number {beat}, by {producer} was reported: {reason}.

{message}

The producer says:

{counter}

Decide until {until}:

{link}
`,
    sample: {
      ...{
        ...reported,
        counter: "The hook is mine: I played it on my own guitar.",
        until: "24 December 2026, 12:00 UTC",
      },
      link: "https://beats.example/portal/admin/reports?beat=7",
    },
  },
  "dispute-opened": {
    description: "To operators, when a buyer's bank takes a payment back.",
    text: `# Dispute over {amount}: order {order}

On {at} the bank of the buyer disputed the payment of order {order}: {license} license of “{title}”, {amount}. The reason it gives is: {reason}

The provider withholds the money until it is decided. Answer at the provider, before its deadline. The order is here:

{link}
`,
    sample: { ...order, reason: "fraudulent", link: "https://beats.example/portal/admin/orders/1042" },
  },
  "refund-to-decide": {
    description: "To operators, when a buyer asks for the money back.",
    text: `# Refund asked for: order {order}, {amount}

The buyer of “{title}” asks for {amount} back. The reason: {reason}

{message}

Grant or refuse it here. The buyer waits for your decision:

{link}
`,
    sample: {
      ...{ order: order.order, title: order.title, amount: order.amount },
      reason: "The files are damaged or missing",
      message: "The WAV ends after ten seconds.",
      link: "https://beats.example/portal/admin/orders/1042",
    },
  },
} as const satisfies Record<string, Template>;
