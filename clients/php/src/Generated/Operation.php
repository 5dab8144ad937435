<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Generated;

/**
 * The API's operations: method, and path below the base URL with ids in braces.
 *
 * @internal
 */
enum Operation: string
{
    case ListBeats = 'GET /beats';
    case CreateBeat = 'POST /beats';
    case GetBeat = 'GET /beats/{beat_id}';
    case UpdateBeat = 'PATCH /beats/{beat_id}';
    case WithdrawBeat = 'DELETE /beats/{beat_id}';
    case ListSimilarBeats = 'GET /beats/{beat_id}/similar';
    case ListOwnBeats = 'GET /users/me/beats';
    case GetUser = 'GET /users/{user_id}';
    case UpdateProfile = 'PUT /users/profile';
    case ListProducers = 'GET /producers';
    case ListGenres = 'GET /genres';
    case Search = 'GET /search';
    case ListOrders = 'GET /orders';
    case CreateOrder = 'POST /orders';
    case GetOrder = 'GET /orders/{order_id}';
    case CreateCheckout = 'POST /checkouts';
    case GetCheckout = 'GET /checkouts/{checkout_id}';
    case CreateQuote = 'POST /quotes';
    case ListSales = 'GET /users/me/sales';
    case ExportSales = 'GET /users/me/sales.csv';
    case ListOrderFiles = 'GET /orders/{order_id}/files';
    case DownloadOrderArchive = 'GET /orders/{order_id}/archive';
    case ListOrderInvoices = 'GET /orders/{order_id}/invoices';
    case AskLicense = 'POST /licenses/{license_id}/may';
    case ListLicenseUsage = 'GET /licenses/{license_id}/usage';
    case ReportLicenseUsage = 'POST /licenses/{license_id}/usage';
    case UpgradeLicense = 'POST /licenses/{license_id}/upgrade';
    case ListFavorites = 'GET /users/me/favorites';
    case AddFavorite = 'PUT /users/me/favorites/{beat_id}';
    case RemoveFavorite = 'DELETE /users/me/favorites/{beat_id}';
    case ListFollowing = 'GET /users/me/following';
    case FollowUser = 'PUT /users/me/following/{user_id}';
    case UnfollowUser = 'DELETE /users/me/following/{user_id}';
    case ListPlaylists = 'GET /playlists';
    case CreatePlaylist = 'POST /playlists';
    case GetPlaylist = 'GET /playlists/{playlist_id}';
    case UpdatePlaylist = 'PATCH /playlists/{playlist_id}';
    case DeletePlaylist = 'DELETE /playlists/{playlist_id}';
    case AddPlaylistBeat = 'PUT /playlists/{playlist_id}/beats/{beat_id}';
    case RemovePlaylistBeat = 'DELETE /playlists/{playlist_id}/beats/{beat_id}';
    case ListUploads = 'GET /uploads';
    case DeleteUpload = 'DELETE /uploads/{upload_id}';
    case GetUpload = 'GET /uploads/{upload_id}';
    case RetryUpload = 'POST /uploads/{upload_id}/retry';
    case ListChanges = 'GET /changes';
    case ListEvents = 'GET /events';
    case GetEvent = 'GET /events/{event_id}';
    case ListRequests = 'GET /requests';
    case GetRequest = 'GET /requests/{request_id}';
    case ExportBeats = 'GET /exports/beats.ndjson.gz';
    case CreateSandbox = 'POST /test/sandboxes';
    case ListSandboxes = 'GET /test/sandboxes';
    case GetSandbox = 'GET /test/sandboxes/{sandbox_id}';
    case DeleteSandbox = 'DELETE /test/sandboxes/{sandbox_id}';
    case AdvanceSandbox = 'POST /test/sandboxes/{sandbox_id}/advance';
    case ForkSandbox = 'POST /test/sandboxes/{sandbox_id}/fork';
    case TriggerEvent = 'POST /test/events';

    /** The operationId. */
    public function id(): string
    {
        return lcfirst($this->name);
    }
}
