/** The account of a portal session. */
export interface Account {
  /** The marketplace user: whose keys, calls and endpoints are shown. */
  userId: number;
  /** Better Auth's id of the account. */
  id: string;
  name: string;
  email: string;
  /** When the session began: the last authentication. */
  signedInAt: Date;
}
