<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Generated;

use BeatMarket\Exception\APIConnectionException;
use BeatMarket\Exception\APIStatusException;
use BeatMarket\Exception\BeatMarketException;
use BeatMarket\Exception\InvalidArgumentException;
use BeatMarket\Http\Call;
use BeatMarket\Http\Connection;
use BeatMarket\Http\Transport;
use BeatMarket\Model\Beat;
use BeatMarket\Model\BeatDetail;
use BeatMarket\Model\Producer;
use BeatMarket\Page\SearchPage;
use BeatMarket\RequestInfo;
use BeatMarket\Resource\Beats;
use BeatMarket\Resource\Changes;
use BeatMarket\Resource\Checkouts;
use BeatMarket\Resource\Events;
use BeatMarket\Resource\Exports;
use BeatMarket\Resource\Favorites;
use BeatMarket\Resource\Genres;
use BeatMarket\Resource\Licenses;
use BeatMarket\Resource\Orders;
use BeatMarket\Resource\Playlists;
use BeatMarket\Resource\Producers;
use BeatMarket\Resource\Quotes;
use BeatMarket\Resource\Requests;
use BeatMarket\Resource\Sales;
use BeatMarket\Resource\Sandboxes;
use BeatMarket\Resource\Uploads;
use BeatMarket\Resource\Users;
use BeatMarket\Response;
use BeatMarket\ResponseInfo;
use BeatMarket\Settings;
use BeatMarket\Value\FacetName;
use BeatMarket\Value\LicenseType;
use BeatMarket\Value\SearchSort;
use BeatMarket\Value\SearchType;
use BeatMarket\Webhooks;
use Psr\Http\Client\ClientInterface;
use Psr\Log\LoggerInterface;

/** @internal */
trait ClientMethods
{
    private readonly Connection $connection;

    /** The beats on sale, and your own. */
    public readonly Beats $beats;

    /** Public profiles, and your own. */
    public readonly Users $users;

    /** Users who sell beats. */
    public readonly Producers $producers;

    /** The genres of the catalogue. */
    public readonly Genres $genres;

    /** The purchases of the key's account. */
    public readonly Orders $orders;

    /** Payments of one or more licenses, on a page of the service. */
    public readonly Checkouts $checkouts;

    /** What purchases would cost, with discounts. */
    public readonly Quotes $quotes;

    /** What the key's account sold. */
    public readonly Sales $sales;

    /** What licenses allow, and reports of their use. */
    public readonly Licenses $licenses;

    /** The favorite beats of the key's account. */
    public readonly Favorites $favorites;

    /** Lists of beats: your own, and public ones. */
    public readonly Playlists $playlists;

    /** Files that become beats. */
    public readonly Uploads $uploads;

    /** What changes in the catalogue, in the order of commits. */
    public readonly Changes $changes;

    /** The events that webhooks deliver, for programs without a public address. */
    public readonly Events $events;

    /** The request log of the key's account. */
    public readonly Requests $requests;

    /** All beats in one file. */
    public readonly Exports $exports;

    /** Services of your own whose time you set. */
    public readonly Sandboxes $sandboxes;

    /** Verifies webhooks; needs no client. */
    public readonly Webhooks $webhooks;

    /**
     * @param string|false|null                  $apiKey
     *        default: BEATMARKET_API_KEY; false, as from getenv(), counts as absent
     * @param string|null                        $baseUrl
     *        default: BEATMARKET_BASE_URL, else https://localhost:8443/v1
     * @param string|null                        $caFile
     *        PEM file of the certificate authorities to trust; default: BEATMARKET_CA_FILE, else the system's
     *        authorities
     * @param float                              $timeout
     *        seconds per attempt, from connecting to the last byte of the body
     * @param int                                $maxRetries
     *        attempts after the first: without a response, and for 408, 423, 429, 460, 500, 502, 503, 504, and 409 with
     *        Retry-After
     * @param int                                $maxRetryAfter
     *        seconds; the call throws if the service asks for a longer wait
     * @param LoggerInterface|\Closure|null      $logger
     *        PSR-3, or a function with the parameters of its log(); logs each attempt, without key and bodies
     * @param Transport|ClientInterface|null     $transport
     *        a PSR-18 client; default: ext-curl
     * @param \Closure(float): void|null         $sleep
     *        waits the given number of seconds between attempts; default: usleep()
     * @param array<string, string>              $headers
     *        sent with each request to the API
     * @param string|null                        $userAgentSuffix
     *        such as my-shop/1.2, sent after the client's own User-Agent
     * @param bool                               $allowHttp
     *        allows a baseUrl in plain http on any host, for mock servers and side-cars; others can read the key;
     *        without it, only for this machine
     * @param \Closure(RequestInfo): mixed|null  $onRequest
     *        called when an attempt begins; what it throws, the call throws
     * @param \Closure(ResponseInfo): mixed|null $onResponse
     *        called when an attempt has ended
     *
     * @throws InvalidArgumentException if the key is missing or a setting is invalid
     */
    public function __construct(
        #[\SensitiveParameter] string|false|null $apiKey = null,
        ?string $baseUrl = null,
        ?string $caFile = null,
        float $timeout = 30,
        int $maxRetries = 2,
        int $maxRetryAfter = 60,
        LoggerInterface|\Closure|null $logger = null,
        Transport|ClientInterface|null $transport = null,
        ?\Closure $sleep = null,
        array $headers = [],
        ?string $userAgentSuffix = null,
        bool $allowHttp = false,
        ?\Closure $onRequest = null,
        ?\Closure $onResponse = null,
    ) {
        $this->connect(self::open(new Settings(
            apiKey: $apiKey,
            baseUrl: $baseUrl,
            caFile: $caFile,
            timeout: $timeout,
            maxRetries: $maxRetries,
            maxRetryAfter: $maxRetryAfter,
            logger: $logger,
            transport: $transport,
            sleep: $sleep,
            headers: $headers,
            userAgentSuffix: $userAgentSuffix,
            allowHttp: $allowHttp,
            onRequest: $onRequest,
            onResponse: $onResponse,
        )));
    }

    /**
     * A copy of this client with other options, over the same connection: $client->with(timeout: 5)->beats->get(1).
     *
     * @param float|null            $timeout       seconds per attempt; null, here and below, keeps the value
     * @param int|null              $maxRetries
     * @param int|null              $maxRetryAfter seconds
     * @param array<string, string> $headers       sent as well, or instead of the client's
     * @param array<string, mixed>  $query         fields that are added to the query of each call; one that it sends
     *                                             itself is refused
     * @param array<string, mixed>  $body          fields that are added to the JSON body of each call, as $query
     *
     * @throws InvalidArgumentException if an option is invalid
     */
    public function with(
        ?float $timeout = null,
        ?int $maxRetries = null,
        ?int $maxRetryAfter = null,
        array $headers = [],
        array $query = [],
        array $body = [],
    ): static {
        $copy = (new \ReflectionClass($this))->newInstanceWithoutConstructor();
        $copy->connect(new Connection($this->connection->baseUrl, $this->connection->sender->with(
            timeout: $timeout,
            maxRetries: $maxRetries,
            maxRetryAfter: $maxRetryAfter,
            headers: $headers,
            query: $query,
            body: $body,
        )));

        return $copy;
    }

    /**
     * Sends any request below the base URL, with the same key, retries and exceptions as the other methods.
     *
     * @param string                $method  such as GET
     * @param string                $path    such as /beats, percent-encoded
     * @param array<string, mixed>  $query   null values are omitted
     * @param mixed                 $body    sent as JSON; null sends no body, [] an empty list, new \stdClass() an
     *                                       empty object
     * @param array<string, string> $headers override the library's
     *
     * @throws APIStatusException if the status is not 2xx, or the body is not a JSON object or list (204 has none)
     * @throws APIConnectionException if there is no response
     * @throws InvalidArgumentException if the request is invalid
     */
    public function request(
        string $method,
        string $path,
        array $query = [],
        mixed $body = null,
        array $headers = [],
    ): Response {
        return $this->connection->request($method, $path, $query, $body, $headers);
    }

    /**
     * Returns the best matching beats and producers, up to `limit` of each. Tempos, keys and prices in the text become
     * filters; `interpreted` names them. Totals are exact; `lastPage` is the last page of the longer list.
     *
     * Needs the permission search:read.
     *
     * @param string                         $q             The search text: words of titles, producers, genres and
     *                                                      tags, tempos (`140 bpm`, `138-142`, `trap 140`), keys (`a
     *                                                      minor`, `8A`) and prices (`under $20`). The last word may be
     *                                                      incomplete. Accents, case and typing errors are ignored.
     * @param SearchType|string|null         $type          The types to search (default: all). One of Value\SearchType.
     * @param int|null                       $page          The number of the page, from 1.
     * @param int|null                       $limit         The largest number of beats, and of producers, on a page (1
     *                                                      to 50; default: 20).
     * @param int|list<int>|null             $genre         Only beats of the genres with these ids.
     * @param int|list<int>|null             $producer      Only beats of the producers with these ids.
     * @param int|null                       $bpmMin        Only beats of this `bpm` or faster (1 to 999).
     * @param int|null                       $bpmMax        Only beats of this `bpm` or slower (1 to 999).
     * @param int|null                       $bpm           Only beats of this `bpm` (1 to 999). Instead of `bpmMin` and
     *                                                      `bpmMax`.
     * @param float|null                     $bpmTolerance  The percentage by which a beat may differ from `bpm` (0 to
     *                                                      50). Default: 0.
     * @param bool|null                      $halfDouble    Whether beats of half and of double the `bpm` match as well.
     *                                                      Default: false.
     * @param string|list<string>|null       $key           Only beats in these keys: `A minor`, `Am` or `8A` (Camelot);
     *                                                      enharmonic spellings are the same key; `unknown` for beats
     *                                                      without one.
     * @param string|null                    $keyCompatible Only beats that mix with this key: itself, its relative and
     *                                                      its neighbours on the circle of fifths. Spelled as in `key`.
     * @param float|null                     $priceMin      Only beats whose `price` is this or more.
     * @param float|null                     $priceMax      Only beats whose `price` is this or less.
     * @param int|null                       $durationMin   Only beats of this many seconds or more.
     * @param int|null                       $durationMax   Only beats of this many seconds or less.
     * @param \DateTimeInterface|string|null $createdAfter  Only beats whose `createdAt` is this time or later, ISO
     *                                                      8601. A date alone is its first second, UTC.
     * @param \DateTimeInterface|string|null $createdBefore Only beats whose `createdAt` is this time or earlier, ISO
     *                                                      8601. A date alone is its last second, UTC.
     * @param string|list<string>|null       $tag           Only beats with one of these tags. Accents and case are
     *                                                      ignored.
     * @param LicenseType|string|list<LicenseType|string>|null $license
     *        Only beats with one of these licenses available. Of Value\LicenseType.
     * @param SearchSort|string|null         $sort          The order of the beats (default: relevance). One of
     *                                                      Value\SearchSort.
     * @param FacetName|string|list<FacetName|string>|null $facets
     *        The properties to count beats by. Counts are exact and apply all filters except those on the same
     *        property. Of Value\FacetName.
     * @param string|list<string>|null       $fields        The fields to return of each object, by their names in the
     *                                                      response. Fields that only the response of a single beat has
     *                                                      are allowed, too. All other fields are absent, although the
     *                                                      schemas of responses describe whole objects.
     * @param bool|null                      $interpret     Whether tempos, keys and prices in `q` become filters
     *                                                      (default: true). With false, they are words like any other.
     * @param int|null                       $maxItems      Maximum number of items, of this page and in a foreach.
     *
     * @throws BeatMarketException
     */
    public function search(
        string $q,
        SearchType|string|null $type = null,
        ?int $page = null,
        ?int $limit = null,
        int|array|null $genre = null,
        int|array|null $producer = null,
        ?int $bpmMin = null,
        ?int $bpmMax = null,
        ?int $bpm = null,
        ?float $bpmTolerance = null,
        ?bool $halfDouble = null,
        string|array|null $key = null,
        ?string $keyCompatible = null,
        ?float $priceMin = null,
        ?float $priceMax = null,
        ?int $durationMin = null,
        ?int $durationMax = null,
        \DateTimeInterface|string|null $createdAfter = null,
        \DateTimeInterface|string|null $createdBefore = null,
        string|array|null $tag = null,
        LicenseType|string|array|null $license = null,
        SearchSort|string|null $sort = null,
        FacetName|string|array|null $facets = null,
        string|array|null $fields = null,
        ?bool $interpret = null,
        ?int $maxItems = null,
    ): SearchPage {
        return new SearchPage(
            $this->connection,
            new Call(
                Operation::Search,
                query: [
                    'q' => $q,
                    'type' => $type,
                    'page' => $page,
                    'limit' => $limit,
                    'genre' => $genre,
                    'producer' => $producer,
                    'bpm_min' => $bpmMin,
                    'bpm_max' => $bpmMax,
                    'bpm' => $bpm,
                    'bpm_tolerance' => $bpmTolerance,
                    'half_double' => $halfDouble,
                    'key' => $key,
                    'key_compatible' => $keyCompatible,
                    'price_min' => $priceMin,
                    'price_max' => $priceMax,
                    'duration_min' => $durationMin,
                    'duration_max' => $durationMax,
                    'created_after' => $createdAfter,
                    'created_before' => $createdBefore,
                    'tag' => $tag,
                    'license' => $license,
                    'sort' => $sort,
                    'facets' => $facets,
                    'fields' => $fields,
                    'interpret' => $interpret,
                ],
            ),
            ['beats' => $fields === null ? Beat::class : BeatDetail::class, 'producers' => Producer::class],
            $maxItems,
        );
    }

    private function connect(Connection $connection): void
    {
        $this->connection = $connection;
        $this->beats = new Beats($connection);
        $this->users = new Users($connection);
        $this->producers = new Producers($connection);
        $this->genres = new Genres($connection);
        $this->orders = new Orders($connection);
        $this->checkouts = new Checkouts($connection);
        $this->quotes = new Quotes($connection);
        $this->sales = new Sales($connection);
        $this->licenses = new Licenses($connection);
        $this->favorites = new Favorites($connection);
        $this->playlists = new Playlists($connection);
        $this->uploads = new Uploads($connection);
        $this->changes = new Changes($connection);
        $this->events = new Events($connection);
        $this->requests = new Requests($connection);
        $this->exports = new Exports($connection);
        $this->sandboxes = new Sandboxes($connection);
        $this->webhooks = new Webhooks();
    }
}
