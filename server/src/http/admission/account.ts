/** The account of a portal session. */
export interface Account {
  /** The marketplace user: whose keys, calls and endpoints are shown. */
  userId: number;
  /** Better Auth's id of the account. */
  id: string;
  name: string;
  email: string;
  /** Of the session, in the list of the account's sessions. */
  sessionId: string;
  /** Whether a browser that the account had not known began the session. */
  isNewDevice: boolean;
  /** May see and change all accounts, on the portal's pages for operators. */
  isOperator: boolean;
  /** When the session began: the last authentication. */
  signedInAt: Date;
}
