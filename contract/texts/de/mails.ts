import { accountMails } from "./account-mails.ts";
import { buyerMails } from "./buyer-mails.ts";
import { operatorMails } from "./operator-mails.ts";
import { producerMails } from "./producer-mails.ts";

export const mails = { ...accountMails, ...buyerMails, ...producerMails, ...operatorMails } as const;
