// Invented facts that several previews of mails share.

export const libraryLink = "https://beats.example/library/1.mguq3c00.5Zk0t1vXQmJ8bN4yR7wD2eLh9uPfS6aGcTiVxEoKjMs";
/** The facts of an order that most mails about an order name. */
export const order = {
  order: "1042",
  title: "Midnight Lantern",
  license: "premium",
  amount: { cents: 5_990, currency: "USD" },
  at: { moment: "2026-11-26T12:00:00Z" },
} as const;

/** The facts of a report of that order's beat. */
export const reported = {
  ...{ beat: "7", title: order.title, producer: "Nightowl", reason: { text: "report.sample" as const } },
  message: "The hook is from my record of 2019, at 0:42.",
} as const;
