// Invented facts that several previews of mails share.

export const libraryLink = "https://beats.example/library/1.mguq3c00.5Zk0t1vXQmJ8bN4yR7wD2eLh9uPfS6aGcTiVxEoKjMs";
/** The facts of an order that most mails about an order name. */
export const order = {
  order: "1042",
  title: "Midnight Lantern",
  license: "premium",
  amount: "59.90 USD",
  at: "26 November 2026 at 12:00 UTC",
};

/** The facts of a report of that order's beat. */
export const reported = {
  ...{ beat: "7", title: order.title, producer: "Nightowl", reason: "It has a sample that is not cleared" },
  message: "The hook is from my record of 2019, at 0:42.",
};
