import type { Mail } from "../../mail/mailer.ts";
import type { Claim } from "./claims.ts";

// A link's token is in the fragment, which browsers never send: it appears in no server log and no Referer.

/** The mail to the owner of the mailbox that may claim a producer. */
export const claimMail = (publicUrl: string, { email, producer_id, producer_name }: Claim, token: string): Mail => ({
  to: email,
  subject: "Claim your beats",
  text: `Hello,

the operator of Beat Marketplace hands over a producer to the owner of this mailbox:

  ${producer_name} (${publicUrl}/v1/users/${producer_id})

To take over its beats into the account of ${email}, open this link within 24 hours:

${publicUrl}/portal/claim#${token}

If these beats are not yours, there is nothing to do: without this mail nobody can take them over.
`,
});
