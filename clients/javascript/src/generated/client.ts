// Generated from contract/openapi.json by npm run contract; do not edit.

import { Beats } from "../beats.ts";
import { Changes, Events } from "../feeds.ts";
import {
  Checkouts,
  ClientMethods,
  Exports,
  Favorites,
  Genres,
  Licenses,
  Orders,
  Playlists,
  Producers,
  Quotes,
  Requests,
  Sales,
  Sandboxes,
  Uploads,
  Users,
} from "./resources.ts";

export type {
  Beats,
  Changes,
  Checkouts,
  Events,
  Exports,
  Favorites,
  Genres,
  Licenses,
  Orders,
  Playlists,
  Producers,
  Quotes,
  Requests,
  Sales,
  Sandboxes,
  Uploads,
  Users,
};

/** The parts of a client. */
export class Resources extends ClientMethods {
  /** The beats on sale, and your own. */
  readonly beats: Beats = new Beats(this.sender);
  /** Public profiles, and your own. */
  readonly users: Users = new Users(this.sender);
  /** Users who sell beats. */
  readonly producers: Producers = new Producers(this.sender);
  /** The genres of the catalogue. */
  readonly genres: Genres = new Genres(this.sender);
  /** The purchases of the key's account. */
  readonly orders: Orders = new Orders(this.sender);
  /** Payments of one or more licenses, on a page of the service. */
  readonly checkouts: Checkouts = new Checkouts(this.sender);
  /** What purchases would cost, with discounts. */
  readonly quotes: Quotes = new Quotes(this.sender);
  /** What the key's account sold. */
  readonly sales: Sales = new Sales(this.sender);
  /** What licenses allow, and reports of their use. */
  readonly licenses: Licenses = new Licenses(this.sender);
  /** The favorite beats of the key's account. */
  readonly favorites: Favorites = new Favorites(this.sender);
  /** Lists of beats: your own, and public ones. */
  readonly playlists: Playlists = new Playlists(this.sender);
  /** Files that become beats. */
  readonly uploads: Uploads = new Uploads(this.sender);
  /** What changes in the catalogue, in the order of commits. */
  readonly changes: Changes = new Changes(this.sender);
  /** The events that webhooks deliver, for programs without a public address. */
  readonly events: Events = new Events(this.sender);
  /** The request log of the key's account. */
  readonly requests: Requests = new Requests(this.sender);
  /** All beats in one file. */
  readonly exports: Exports = new Exports(this.sender);
  /** Services of your own whose time you set. */
  readonly sandboxes: Sandboxes = new Sandboxes(this.sender);
}
