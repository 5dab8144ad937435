<?php

declare(strict_types=1);

namespace BeatMarket;

/**
 * The API's operations, by operationId.
 *
 * @internal
 */
enum Operation: string
{
    case ListBeats = 'listBeats';
    case GetBeat = 'getBeat';
    case ListSimilarBeats = 'listSimilarBeats';
    case CreateBeat = 'createBeat';
    case UpdateBeat = 'updateBeat';
    case WithdrawBeat = 'withdrawBeat';
    case GetUser = 'getUser';
    case UpdateProfile = 'updateProfile';
    case ListOwnBeats = 'listOwnBeats';
    case ListUploads = 'listUploads';
    case GetUpload = 'getUpload';
    case RetryUpload = 'retryUpload';
    case DeleteUpload = 'deleteUpload';
    case ListProducers = 'listProducers';
    case ListGenres = 'listGenres';
    case Search = 'search';
    case ListOrders = 'listOrders';
    case GetOrder = 'getOrder';
    case CreateOrder = 'createOrder';
    case ListOrderFiles = 'listOrderFiles';
    case ListSales = 'listSales';
    case ExportSales = 'exportSales';
    case ListChanges = 'listChanges';
    case ExportBeats = 'exportBeats';
    case ListEvents = 'listEvents';
    case GetEvent = 'getEvent';

    public function method(): string
    {
        return match ($this) {
            self::CreateBeat, self::RetryUpload, self::CreateOrder => 'POST',
            self::UpdateProfile => 'PUT',
            self::UpdateBeat => 'PATCH',
            self::WithdrawBeat, self::DeleteUpload => 'DELETE',
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
            self::GetUser => '/users/{user_id}',
            self::UpdateProfile => '/users/profile',
            self::ListOwnBeats => '/users/me/beats',
            self::ListUploads => '/uploads',
            self::GetUpload, self::DeleteUpload => '/uploads/{upload_id}',
            self::RetryUpload => '/uploads/{upload_id}/retry',
            self::ListProducers => '/producers',
            self::ListGenres => '/genres',
            self::Search => '/search',
            self::ListOrders, self::CreateOrder => '/orders',
            self::GetOrder => '/orders/{order_id}',
            self::ListOrderFiles => '/orders/{order_id}/files',
            self::ListSales => '/users/me/sales',
            self::ExportSales => '/users/me/sales.csv',
            self::ListChanges => '/changes',
            self::ExportBeats => '/exports/beats.ndjson.gz',
            self::ListEvents => '/events',
            self::GetEvent => '/events/{event_id}',
        };
    }
}
