/** Each operation as a JavaScript developer calls it. The arguments have wire names; `options` are the call's. */
export const operations = {
  listBeats: (client, query, options) => client.beats.list(query, options),
  getBeat: (client, { beat_id }, options) => client.beats.get(beat_id, options),
  listSimilarBeats: (client, { beat_id, ...query }, options) => client.beats.similar(beat_id, query, options),
  createBeat: (client, { idempotency_key: idempotencyKey, ...fields }, options) =>
    client.beats.create(fields, idempotencyKey === undefined ? options : { ...options, idempotencyKey }),
  updateBeat: (client, { beat_id, if_match: ifMatch, ...changes }, options) =>
    client.beats.update(beat_id, changes, ifMatch === undefined ? options : { ...options, ifMatch }),
  withdrawBeat: (client, { beat_id, if_match: ifMatch }, options) =>
    client.beats.withdraw(beat_id, ifMatch === undefined ? options : { ...options, ifMatch }),
  listOwnBeats: (client, query, options) => client.users.myBeats(query, options),
  listUploads: (client, query, options) => client.uploads.list(query, options),
  getUpload: (client, { upload_id }, options) => client.uploads.get(upload_id, options),
  retryUpload: (client, { upload_id }, options) => client.uploads.retry(upload_id, options),
  deleteUpload: (client, { upload_id }, options) => client.uploads.delete(upload_id, options),
  getUser: (client, { user_id }, options) => client.users.get(user_id, options),
  updateProfile: (client, fields, options) => client.users.updateProfile(fields, options),
  listProducers: (client, query, options) => client.producers.list(query, options),
  listGenres: (client, _, options) => client.genres.list(options),
  search: (client, { q, ...query }, options) => client.search(q, query, options),
  listOrders: (client, query, options) => client.orders.list(query, options),
  getOrder: (client, { order_id }, options) => client.orders.get(order_id, options),
  createOrder: (client, { idempotency_key: idempotencyKey, ...order }, options) =>
    client.orders.create(order, idempotencyKey === undefined ? options : { ...options, idempotencyKey }),
  createCheckout: (client, { idempotency_key: idempotencyKey, ...checkout }, options) =>
    client.checkouts.create(checkout, idempotencyKey === undefined ? options : { ...options, idempotencyKey }),
  createQuote: (client, quote, options) => client.quotes.create(quote, options),
  askLicense: (client, { license_id, ...question }, options) => client.licenses.may(license_id, question, options),
  upgradeLicense: (client, { license_id, ...upgrade }, options) =>
    client.licenses.upgrade(license_id, upgrade, options),
  listLicenseUsage: (client, { license_id }, options) => client.licenses.usage(license_id, options),
  reportLicenseUsage: (client, { license_id, ...report }, options) =>
    client.licenses.reportUsage(license_id, report, options),
  getCheckout: (client, { checkout_id }, options) => client.checkouts.get(checkout_id, options),
  listFavorites: (client, query, options) => client.favorites.list(query, options),
  addFavorite: (client, { beat_id }, options) => client.favorites.add(beat_id, options),
  removeFavorite: (client, { beat_id }, options) => client.favorites.remove(beat_id, options),
  listFollowing: (client, query, options) => client.users.following(query, options),
  followUser: (client, { user_id }, options) => client.users.follow(user_id, options),
  unfollowUser: (client, { user_id }, options) => client.users.unfollow(user_id, options),
  listPlaylists: (client, query, options) => client.playlists.list(query, options),
  createPlaylist: (client, { idempotency_key: idempotencyKey, ...playlist }, options) =>
    client.playlists.create(playlist, idempotencyKey === undefined ? options : { ...options, idempotencyKey }),
  getPlaylist: (client, { playlist_id }, options) => client.playlists.get(playlist_id, options),
  updatePlaylist: (client, { playlist_id, ...changes }, options) =>
    client.playlists.update(playlist_id, changes, options),
  deletePlaylist: (client, { playlist_id }, options) => client.playlists.delete(playlist_id, options),
  addPlaylistBeat: (client, { playlist_id, beat_id }, options) =>
    client.playlists.addBeat(playlist_id, beat_id, options),
  removePlaylistBeat: (client, { playlist_id, beat_id }, options) =>
    client.playlists.removeBeat(playlist_id, beat_id, options),
  listOrderFiles: (client, { order_id }, options) => client.orders.files(order_id, options),
  listOrderInvoices: (client, { order_id }, options) => client.orders.invoices(order_id, options),
  createSandbox: (client, sandbox, options) => client.sandboxes.create(sandbox, options),
  listSandboxes: (client, _, options) => client.sandboxes.list(options),
  getSandbox: (client, { sandbox_id }, options) => client.sandboxes.get(sandbox_id, options),
  deleteSandbox: (client, { sandbox_id }, options) => client.sandboxes.delete(sandbox_id, options),
  advanceSandbox: (client, { sandbox_id, ...advance }, options) =>
    client.sandboxes.advance(sandbox_id, advance, options),
  forkSandbox: (client, { sandbox_id }, options) => client.sandboxes.fork(sandbox_id, options),
  triggerEvent: (client, event, options) => client.events.trigger(event, options),
  downloadOrderArchive: (client, { order_id, path }, options) => client.orders.archive(order_id, path, options),
  listSales: (client, query, options) => client.sales.list(query, options),
  exportSales: (client, { month, path }, options) => client.sales.export(month, path, options),
  listChanges: (client, query, options) => client.changes.list(query, options),
  exportBeats: (client, { path }, options) => client.exports.beats(path, options),
  listEvents: (client, query, options) => client.events.list(query, options),
  listRequests: (client, query, options) => client.requests.list(query, options),
  getRequest: (client, { request_id }, options) => client.requests.get(request_id, options),
  getEvent: (client, { event_id }, options) => client.events.get(event_id, options),
};
