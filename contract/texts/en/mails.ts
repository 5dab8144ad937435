import { accountMails } from "./account-mails.ts";
import { buyerMails } from "./buyer-mails.ts";
import { operatorMails } from "./operator-mails.ts";
import { producerMails } from "./producer-mails.ts";

/** Mails by name. The first line is `# ` and the subject. Below it are paragraphs, and items that begin with `- `. */
export const mails = { ...accountMails, ...buyerMails, ...producerMails, ...operatorMails } as const;
