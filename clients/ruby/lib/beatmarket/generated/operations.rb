# frozen_string_literal: true

# Generated from contract/openapi.json by npm run contract; do not edit.

module BeatMarket
  # An entry of {OPERATIONS}.
  #
  # @!attribute [r] verb
  #   @return [String]
  # @!attribute [r] path
  #   @return [String] relative to the base URL, with parameter names in braces
  # @!attribute [r] ruby
  #   @return [Array<Symbol>] the methods to call on a {Client}
  Operation = Struct.new(:verb, :path, :ruby)

  # The API's operations, by operationId of the OpenAPI document.
  OPERATIONS = {
    "listBeats" => Operation.new("GET", "/beats", %i[beats list]),
    "createBeat" => Operation.new("POST", "/beats", %i[beats create]),
    "getBeat" => Operation.new("GET", "/beats/{beat_id}", %i[beats get]),
    "updateBeat" => Operation.new("PATCH", "/beats/{beat_id}", %i[beats update]),
    "withdrawBeat" => Operation.new("DELETE", "/beats/{beat_id}", %i[beats withdraw]),
    "listSimilarBeats" => Operation.new("GET", "/beats/{beat_id}/similar", %i[beats similar]),
    "listOwnBeats" => Operation.new("GET", "/users/me/beats", %i[users my_beats]),
    "getUser" => Operation.new("GET", "/users/{user_id}", %i[users get]),
    "updateProfile" => Operation.new("PUT", "/users/profile", %i[users update_profile]),
    "listProducers" => Operation.new("GET", "/producers", %i[producers list]),
    "listGenres" => Operation.new("GET", "/genres", %i[genres list]),
    "search" => Operation.new("GET", "/search", %i[search]),
    "listOrders" => Operation.new("GET", "/orders", %i[orders list]),
    "createOrder" => Operation.new("POST", "/orders", %i[orders create]),
    "getOrder" => Operation.new("GET", "/orders/{order_id}", %i[orders get]),
    "createCheckout" => Operation.new("POST", "/checkouts", %i[checkouts create]),
    "getCheckout" => Operation.new("GET", "/checkouts/{checkout_id}", %i[checkouts get]),
    "createQuote" => Operation.new("POST", "/quotes", %i[quotes create]),
    "listSales" => Operation.new("GET", "/users/me/sales", %i[sales list]),
    "exportSales" => Operation.new("GET", "/users/me/sales.csv", %i[sales export]),
    "listOrderFiles" => Operation.new("GET", "/orders/{order_id}/files", %i[orders files]),
    "downloadOrderArchive" => Operation.new("GET", "/orders/{order_id}/archive", %i[orders archive]),
    "listOrderInvoices" => Operation.new("GET", "/orders/{order_id}/invoices", %i[orders invoices]),
    "askLicense" => Operation.new("POST", "/licenses/{license_id}/may", %i[licenses may]),
    "listLicenseUsage" => Operation.new("GET", "/licenses/{license_id}/usage", %i[licenses usage]),
    "reportLicenseUsage" => Operation.new("POST", "/licenses/{license_id}/usage", %i[licenses report_usage]),
    "upgradeLicense" => Operation.new("POST", "/licenses/{license_id}/upgrade", %i[licenses upgrade]),
    "listFavorites" => Operation.new("GET", "/users/me/favorites", %i[favorites list]),
    "addFavorite" => Operation.new("PUT", "/users/me/favorites/{beat_id}", %i[favorites add]),
    "removeFavorite" => Operation.new("DELETE", "/users/me/favorites/{beat_id}", %i[favorites remove]),
    "listFollowing" => Operation.new("GET", "/users/me/following", %i[users following]),
    "followUser" => Operation.new("PUT", "/users/me/following/{user_id}", %i[users follow]),
    "unfollowUser" => Operation.new("DELETE", "/users/me/following/{user_id}", %i[users unfollow]),
    "listPlaylists" => Operation.new("GET", "/playlists", %i[playlists list]),
    "createPlaylist" => Operation.new("POST", "/playlists", %i[playlists create]),
    "getPlaylist" => Operation.new("GET", "/playlists/{playlist_id}", %i[playlists get]),
    "updatePlaylist" => Operation.new("PATCH", "/playlists/{playlist_id}", %i[playlists update]),
    "deletePlaylist" => Operation.new("DELETE", "/playlists/{playlist_id}", %i[playlists delete]),
    "addPlaylistBeat" => Operation.new("PUT", "/playlists/{playlist_id}/beats/{beat_id}", %i[playlists add_beat]),
    "removePlaylistBeat" => Operation.new("DELETE", "/playlists/{playlist_id}/beats/{beat_id}", %i[playlists remove_beat]),
    "listUploads" => Operation.new("GET", "/uploads", %i[uploads list]),
    "deleteUpload" => Operation.new("DELETE", "/uploads/{upload_id}", %i[uploads delete]),
    "getUpload" => Operation.new("GET", "/uploads/{upload_id}", %i[uploads get]),
    "retryUpload" => Operation.new("POST", "/uploads/{upload_id}/retry", %i[uploads retry]),
    "listChanges" => Operation.new("GET", "/changes", %i[changes list]),
    "listEvents" => Operation.new("GET", "/events", %i[events list]),
    "getEvent" => Operation.new("GET", "/events/{event_id}", %i[events get]),
    "listRequests" => Operation.new("GET", "/requests", %i[requests list]),
    "getRequest" => Operation.new("GET", "/requests/{request_id}", %i[requests get]),
    "exportBeats" => Operation.new("GET", "/exports/beats.ndjson.gz", %i[exports beats]),
    "createSandbox" => Operation.new("POST", "/test/sandboxes", %i[sandboxes create]),
    "listSandboxes" => Operation.new("GET", "/test/sandboxes", %i[sandboxes list]),
    "getSandbox" => Operation.new("GET", "/test/sandboxes/{sandbox_id}", %i[sandboxes get]),
    "deleteSandbox" => Operation.new("DELETE", "/test/sandboxes/{sandbox_id}", %i[sandboxes delete]),
    "advanceSandbox" => Operation.new("POST", "/test/sandboxes/{sandbox_id}/advance", %i[sandboxes advance]),
    "forkSandbox" => Operation.new("POST", "/test/sandboxes/{sandbox_id}/fork", %i[sandboxes fork]),
    "triggerEvent" => Operation.new("POST", "/test/events", %i[events trigger])
  }.each_value(&:freeze).freeze
end
