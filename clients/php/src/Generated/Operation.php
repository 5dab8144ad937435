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
    case ListSales = 'listSales';
    case ExportSales = 'exportSales';
    case ListOrderFiles = 'listOrderFiles';
    case DownloadOrderArchive = 'downloadOrderArchive';
    case ListUploads = 'listUploads';
    case DeleteUpload = 'deleteUpload';
    case GetUpload = 'getUpload';
    case RetryUpload = 'retryUpload';
    case ListChanges = 'listChanges';
    case ListEvents = 'listEvents';
    case GetEvent = 'getEvent';
    case ExportBeats = 'exportBeats';

    public function method(): string
    {
        return match ($this) {
            self::CreateBeat, self::CreateOrder, self::CreateCheckout, self::RetryUpload => 'POST',
            self::UpdateBeat => 'PATCH',
            self::WithdrawBeat, self::DeleteUpload => 'DELETE',
            self::UpdateProfile => 'PUT',
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
            self::ListSales => '/users/me/sales',
            self::ExportSales => '/users/me/sales.csv',
            self::ListOrderFiles => '/orders/{order_id}/files',
            self::DownloadOrderArchive => '/orders/{order_id}/archive',
            self::ListUploads => '/uploads',
            self::DeleteUpload, self::GetUpload => '/uploads/{upload_id}',
            self::RetryUpload => '/uploads/{upload_id}/retry',
            self::ListChanges => '/changes',
            self::ListEvents => '/events',
            self::GetEvent => '/events/{event_id}',
            self::ExportBeats => '/exports/beats.ndjson.gz',
        };
    }
}
