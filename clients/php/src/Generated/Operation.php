<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Generated;

/**
 * The API's operations, by operationId.
 *
 * @internal
 */
enum Operation: string
{
    case ListBeats = 'listBeats';
    case CreateBeat = 'createBeat';
    case GetBeat = 'getBeat';
    case UpdateBeat = 'updateBeat';
    case WithdrawBeat = 'withdrawBeat';
    case ListSimilarBeats = 'listSimilarBeats';
    case ListOwnBeats = 'listOwnBeats';
    case GetUser = 'getUser';
    case UpdateProfile = 'updateProfile';
    case ListProducers = 'listProducers';
    case ListGenres = 'listGenres';
    case Search = 'search';
    case ListOrders = 'listOrders';
    case CreateOrder = 'createOrder';
    case GetOrder = 'getOrder';
    case CreateCheckout = 'createCheckout';
    case GetCheckout = 'getCheckout';
    case CreateQuote = 'createQuote';
    case ListSales = 'listSales';
    case ExportSales = 'exportSales';
    case ListOrderFiles = 'listOrderFiles';
    case DownloadOrderArchive = 'downloadOrderArchive';
    case ListOrderInvoices = 'listOrderInvoices';
    case AskLicense = 'askLicense';
    case ListLicenseUsage = 'listLicenseUsage';
    case ReportLicenseUsage = 'reportLicenseUsage';
    case UpgradeLicense = 'upgradeLicense';
    case ListFavorites = 'listFavorites';
    case AddFavorite = 'addFavorite';
    case RemoveFavorite = 'removeFavorite';
    case ListFollowing = 'listFollowing';
    case FollowUser = 'followUser';
    case UnfollowUser = 'unfollowUser';
    case ListPlaylists = 'listPlaylists';
    case CreatePlaylist = 'createPlaylist';
    case GetPlaylist = 'getPlaylist';
    case UpdatePlaylist = 'updatePlaylist';
    case DeletePlaylist = 'deletePlaylist';
    case AddPlaylistBeat = 'addPlaylistBeat';
    case RemovePlaylistBeat = 'removePlaylistBeat';
    case ListUploads = 'listUploads';
    case DeleteUpload = 'deleteUpload';
    case GetUpload = 'getUpload';
    case RetryUpload = 'retryUpload';
    case ListChanges = 'listChanges';
    case ListEvents = 'listEvents';
    case GetEvent = 'getEvent';
    case ListRequests = 'listRequests';
    case GetRequest = 'getRequest';
    case ExportBeats = 'exportBeats';
    case CreateSandbox = 'createSandbox';
    case ListSandboxes = 'listSandboxes';
    case GetSandbox = 'getSandbox';
    case DeleteSandbox = 'deleteSandbox';
    case AdvanceSandbox = 'advanceSandbox';
    case ForkSandbox = 'forkSandbox';
    case TriggerEvent = 'triggerEvent';

    public function method(): string
    {
        return match ($this) {
            self::CreateBeat,
                self::CreateOrder,
                self::CreateCheckout,
                self::CreateQuote,
                self::AskLicense,
                self::ReportLicenseUsage,
                self::UpgradeLicense,
                self::CreatePlaylist,
                self::RetryUpload,
                self::CreateSandbox,
                self::AdvanceSandbox,
                self::ForkSandbox,
                self::TriggerEvent => 'POST',
            self::UpdateBeat, self::UpdatePlaylist => 'PATCH',
            self::WithdrawBeat,
                self::RemoveFavorite,
                self::UnfollowUser,
                self::DeletePlaylist,
                self::RemovePlaylistBeat,
                self::DeleteUpload,
                self::DeleteSandbox => 'DELETE',
            self::UpdateProfile, self::AddFavorite, self::FollowUser, self::AddPlaylistBeat => 'PUT',
            default => 'GET',
        };
    }

    /** The path below the base URL, with ids in braces. */
    public function path(): string
    {
        return match ($this) {
            self::ListBeats, self::CreateBeat => '/beats',
            self::GetBeat, self::UpdateBeat, self::WithdrawBeat => '/beats/{beat_id}',
            self::ListSimilarBeats => '/beats/{beat_id}/similar',
            self::ListOwnBeats => '/users/me/beats',
            self::GetUser => '/users/{user_id}',
            self::UpdateProfile => '/users/profile',
            self::ListProducers => '/producers',
            self::ListGenres => '/genres',
            self::Search => '/search',
            self::ListOrders, self::CreateOrder => '/orders',
            self::GetOrder => '/orders/{order_id}',
            self::CreateCheckout => '/checkouts',
            self::GetCheckout => '/checkouts/{checkout_id}',
            self::CreateQuote => '/quotes',
            self::ListSales => '/users/me/sales',
            self::ExportSales => '/users/me/sales.csv',
            self::ListOrderFiles => '/orders/{order_id}/files',
            self::DownloadOrderArchive => '/orders/{order_id}/archive',
            self::ListOrderInvoices => '/orders/{order_id}/invoices',
            self::AskLicense => '/licenses/{license_id}/may',
            self::ListLicenseUsage, self::ReportLicenseUsage => '/licenses/{license_id}/usage',
            self::UpgradeLicense => '/licenses/{license_id}/upgrade',
            self::ListFavorites => '/users/me/favorites',
            self::AddFavorite, self::RemoveFavorite => '/users/me/favorites/{beat_id}',
            self::ListFollowing => '/users/me/following',
            self::FollowUser, self::UnfollowUser => '/users/me/following/{user_id}',
            self::ListPlaylists, self::CreatePlaylist => '/playlists',
            self::GetPlaylist, self::UpdatePlaylist, self::DeletePlaylist => '/playlists/{playlist_id}',
            self::AddPlaylistBeat, self::RemovePlaylistBeat => '/playlists/{playlist_id}/beats/{beat_id}',
            self::ListUploads => '/uploads',
            self::DeleteUpload, self::GetUpload => '/uploads/{upload_id}',
            self::RetryUpload => '/uploads/{upload_id}/retry',
            self::ListChanges => '/changes',
            self::ListEvents => '/events',
            self::GetEvent => '/events/{event_id}',
            self::ListRequests => '/requests',
            self::GetRequest => '/requests/{request_id}',
            self::ExportBeats => '/exports/beats.ndjson.gz',
            self::CreateSandbox, self::ListSandboxes => '/test/sandboxes',
            self::GetSandbox, self::DeleteSandbox => '/test/sandboxes/{sandbox_id}',
            self::AdvanceSandbox => '/test/sandboxes/{sandbox_id}/advance',
            self::ForkSandbox => '/test/sandboxes/{sandbox_id}/fork',
            self::TriggerEvent => '/test/events',
        };
    }
}
