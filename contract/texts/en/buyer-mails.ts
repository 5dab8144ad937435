/** Mails to people who buy, download or report a beat. */
export const buyerMails = {
  receipt: `# Your receipt from {site}

Thank you. Your payment of {total} came through on {at}.

{items}

Your files and license certificates are here:

{link}

{invoices}

Keep this mail as your receipt: order {orders}.
`,
  library: `# Your files at {site}

Somebody, hopefully you, asked for the link to what was bought with this address. It works for 30 days, without a password:

{link}

If it was not you, there is nothing to do: nobody but you has this link.
`,
  "license-usage": `# {percent} percent of the {use} of {title} are used

By your reports, the {license} license of {title} has {used} {use} of {limit}.

{remedy}

Your license is in your library:

{link}

It belongs to order {order}.
`,
  "no-orders": `# Nothing was bought with this address

Somebody, hopefully you, asked {site} for the link to what was bought with this address. Nothing was. Perhaps you used another one:

{link}

If it was not you, there is nothing to do.
`,
  "free-download": `# Your free download of {title}

Somebody, hopefully you, asked {site} for the tagged MP3 of “{title}” by {producer} with this address. Confirm it, and the file is yours:

{link}

If it was not you, there is nothing to do: nobody gets your address without that.
`,
  refund: `# Your refund of {title}: {refunded}

{refunded} of order {order} were paid back by {at}, of {amount} for the {license} license of “{title}”. It takes your bank some days to show it.

{outcome}
`,
  "files-withdrawn": `# The files of {title} were withdrawn

The operator of {site} took the beat “{title}” down, of which you bought a license with order {order}:

{reason}

Its files can no longer be downloaded. Your certificate is still in your library:

{link}

Reply to this mail about your money, or if you have published something with the beat.
`,
  "files-restored": `# The files of {title} are back

The operator of {site} ended the takedown of “{title}”, of which you bought a license with order {order}:

{reason}

You can download its files again:

{link}
`,
  "report-received": `# Your report of {title}

You reported the beat “{title}” by {producer} to {site}: {reason}.

{message}

The operator looks into it, and may send your text to the producer, without your address. You get another mail with the decision.

If you reported nothing, reply to this mail: your address was used by another person.
`,
  "report-upheld": `# Your report of {title} was upheld

You reported the beat “{title}” by {producer} to {site}: {reason}. The operator upholds it, and the beat was taken down:

{decision}
`,
  "report-rejected": `# Your report of {title} was rejected

You reported the beat “{title}” by {producer} to {site}: {reason}. The operator rejects it:

{decision}

Reply to this mail if something new comes up.
`,
  dispute: `# Your bank disputes the payment of {title}

Your bank reported on {at} that the payment of {amount} for the {license} license of “{title}”, order {order}, is disputed.

If you did not ask for that, tell your bank. If something is wrong with the order, reply to this mail: we can refund it ourselves.
`,
  "refund-refused": `# No refund of {title}

You asked for the money of order {order} back. It was not granted, for this reason:

{message}

The order stays yours, with its files and its license:

{link}
`,
  "message-to-buyer": `# {producer} writes about {title}

{producer} writes about order {order}:

{message}

Answer at the order in your library. Neither of you sees the address of the other. Replies to this mail do not reach the producer:

{link}
`,
} as const;
