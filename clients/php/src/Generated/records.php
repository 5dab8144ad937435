<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

// phpcs:disable PSR1.Classes.ClassDeclaration.MultipleClasses

declare(strict_types=1);

namespace BeatMarket;

use BeatMarket\Http\Transport;
use BeatMarket\Model\BeatDetail;
use Psr\Http\Client\ClientInterface;
use Psr\Log\LoggerInterface;

/** The default of each field of an update: the field is not sent, whereas null clears it. */
enum Absent
{
    case Field;
}

/** The rate limit of the key: the window with the fewest requests left. */
final class RateLimit
{
    /**
     * @param int      $limit      requests that the window allows
     * @param int      $remaining  requests left in the window
     * @param int      $reset      Unix time in seconds at which the next request becomes available
     * @param int|null $retryAfter seconds to wait before the next request; null if the response has none
     */
    public function __construct(
        public readonly int $limit,
        public readonly int $remaining,
        public readonly int $reset,
        public readonly ?int $retryAfter,
    ) {
    }
}

/** Beats by their ids, in that order. */
final class BeatBatch
{
    /**
     * @internal
     *
     * @param list<BeatDetail> $beats
     * @param list<int>        $missing ids without a beat
     */
    public function __construct(
        public readonly array $beats,
        public readonly array $missing,
    ) {
    }
}

/** The progress of an upload. */
final class UploadProgress
{
    /**
     * @internal
     *
     * @param string $uploadId the id for uploads->resume(), also in a later process
     * @param int    $sent     bytes that the service has
     * @param int    $bytes    of the whole file
     */
    public function __construct(
        public readonly string $uploadId,
        public readonly int $sent,
        public readonly int $bytes,
    ) {
    }
}

/** The progress of a download. */
final class DownloadProgress
{
    /**
     * @internal
     *
     * @param string $kind     one of Value\FileKind
     * @param int    $received bytes of the file that are on the disk
     * @param int    $bytes    of the whole file
     */
    public function __construct(
        public readonly string $kind,
        public readonly int $received,
        public readonly int $bytes,
    ) {
    }
}

/** A file of an order on the disk, whose bytes are those that the service lists. */
final class DownloadedFile
{
    /**
     * @internal
     *
     * @param string $kind     one of Value\FileKind
     * @param string $filename the name that the service lists
     * @param int    $bytes    the size
     * @param string $sha256   of the bytes, in hex
     * @param string $path     where it is
     */
    public function __construct(
        public readonly string $kind,
        public readonly string $filename,
        public readonly int $bytes,
        public readonly string $sha256,
        public readonly string $path,
    ) {
    }
}

/** One attempt of a request, as it begins: what onRequest gets. */
class RequestInfo
{
    /**
     * @internal
     *
     * @param string                $path           without the query
     * @param string|null           $operation      of the API, such as listBeats; null for request() and for links of
     *                                              files
     * @param int                   $attempt        from 1
     * @param array<string, string> $requestHeaders by lower-case name; of the key, only the end is shown
     */
    public function __construct(
        public readonly string $method,
        public readonly string $path,
        public readonly ?string $operation,
        public readonly int $attempt,
        public readonly array $requestHeaders,
    ) {
    }
}

/** One attempt of a request, when it has ended: what onResponse gets. */
final class ResponseInfo extends RequestInfo
{
    /**
     * @internal
     *
     * @param int|null        $status     null without a response
     * @param float           $durationMs until the last byte of the body
     * @param string|null     $requestId  the header X-Request-Id
     * @param \Throwable|null $error      what the attempt failed with: an error response, or no complete one; null if
     *                                    it succeeded
     */
    public function __construct(
        RequestInfo $begun,
        public readonly ?int $status,
        public readonly float $durationMs,
        public readonly ?string $requestId,
        public readonly ?\Throwable $error,
    ) {
        parent::__construct(
            $begun->method,
            $begun->path,
            $begun->operation,
            $begun->attempt,
            $begun->requestHeaders,
        );
    }
}

/** A downloaded ZIP of all files of an order. */
final class OrderArchive
{
    /**
     * @internal
     *
     * @param string $path the file, a ZIP
     */
    public function __construct(
        public readonly string $path,
        public readonly Response $response,
    ) {
    }
}

/** A downloaded month of sales. */
final class SalesExport
{
    /**
     * @internal
     *
     * @param string $path the file, CSV with a header line
     */
    public function __construct(
        public readonly string $path,
        public readonly Response $response,
    ) {
    }
}

/**
 * The settings of a client, as they were given.
 *
 * @internal
 */
final class Settings
{
    /**
     * @param \Closure(float): void|null         $sleep
     * @param array<string, string>              $headers
     * @param \Closure(RequestInfo): mixed|null  $onRequest
     * @param \Closure(ResponseInfo): mixed|null $onResponse
     */
    public function __construct(
        #[\SensitiveParameter] public readonly string|false|null $apiKey,
        public readonly ?string $baseUrl,
        public readonly ?string $caFile,
        public readonly float $timeout,
        public readonly int $maxRetries,
        public readonly int $maxRetryAfter,
        public readonly LoggerInterface|\Closure|null $logger,
        public readonly Transport|ClientInterface|null $transport,
        public readonly ?\Closure $sleep,
        public readonly array $headers,
        public readonly ?string $userAgentSuffix,
        public readonly bool $allowHttp,
        public readonly ?\Closure $onRequest,
        public readonly ?\Closure $onResponse,
    ) {
    }
}
