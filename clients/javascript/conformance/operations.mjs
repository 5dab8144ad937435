/** Each operation as a JavaScript developer calls it: returns the method's result for arguments in wire names. */
export const operations = {
  listBeats: (client, query) => client.beats.list(query),
  getBeat: (client, { beat_id }) => client.beats.get(beat_id),
  listSimilarBeats: (client, { beat_id, ...query }) => client.beats.similar(beat_id, query),
  createBeat: (client, { idempotency_key: idempotencyKey, ...fields }) =>
    client.beats.create(fields, idempotencyKey === undefined ? undefined : { idempotencyKey }),
  updateBeat: (client, { beat_id, if_match: ifMatch, ...changes }) =>
    client.beats.update(beat_id, changes, ifMatch === undefined ? undefined : { ifMatch }),
  withdrawBeat: (client, { beat_id, if_match: ifMatch }) =>
    client.beats.withdraw(beat_id, ifMatch === undefined ? undefined : { ifMatch }),
  listOwnBeats: (client, query) => client.users.myBeats(query),
  listUploads: (client, query) => client.uploads.list(query),
  getUpload: (client, { upload_id }) => client.uploads.get(upload_id),
  retryUpload: (client, { upload_id }) => client.uploads.retry(upload_id),
  deleteUpload: (client, { upload_id }) => client.uploads.delete(upload_id),
  getUser: (client, { user_id }) => client.users.get(user_id),
  updateProfile: (client, fields) => client.users.updateProfile(fields),
  listProducers: (client, query) => client.producers.list(query),
  listGenres: (client) => client.genres.list(),
  search: (client, { q, ...query }) => client.search(q, query),
  listOrders: (client, query) => client.orders.list(query),
  getOrder: (client, { order_id }) => client.orders.get(order_id),
  createOrder: (client, { idempotency_key: idempotencyKey, ...order }) =>
    client.orders.create(order, idempotencyKey === undefined ? undefined : { idempotencyKey }),
  listOrderFiles: (client, { order_id }) => client.orders.files(order_id),
  listSales: (client, query) => client.sales.list(query),
  exportSales: (client, { month, path }) => client.sales.export(month, path),
  listChanges: (client, query) => client.changes.list(query),
  exportBeats: (client, { path }) => client.exports.beats(path),
  listEvents: (client, query) => client.events.list(query),
  getEvent: (client, { event_id }) => client.events.get(event_id),
};
