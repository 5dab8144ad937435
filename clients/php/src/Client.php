<?php

declare(strict_types=1);

namespace BeatMarket;

use BeatMarket\Exception\APIConnectionException;
use BeatMarket\Exception\APIStatusException;
use BeatMarket\Exception\InvalidArgumentException;
use BeatMarket\Generated\ClientMethods;
use BeatMarket\Http\BaseUrl;
use BeatMarket\Http\Connection;
use BeatMarket\Http\CurlTransport;
use BeatMarket\Http\Retries;
use BeatMarket\Http\Sender;
use BeatMarket\Http\Transport;
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
use BeatMarket\Resource\Uploads;
use BeatMarket\Resource\Users;
use Psr\Log\LoggerInterface;

/**
 * A client of the Beat Marketplace API. It keeps its connection open, so one instance serves a whole process.
 *
 * Calls throw an APIStatusException for an error response, an APIConnectionException if there is no response, and an
 * InvalidArgumentException, without sending anything, for an invalid request. All are BeatMarketExceptions.
 */
final class Client
{
    use ClientMethods;

    public const VERSION = '0.1.0';

    private const BASE_URL = 'https://localhost:8443/v1';

    /** Left out around a key or an address, such as the line break of the file that it was read from. */
    private const SPACE = " \t\n\v\f\r";

    public readonly Beats $beats;
    public readonly Users $users;
    public readonly Producers $producers;
    public readonly Genres $genres;
    public readonly Checkouts $checkouts;
    public readonly Quotes $quotes;
    public readonly Requests $requests;
    public readonly Favorites $favorites;
    public readonly Playlists $playlists;
    public readonly Orders $orders;
    public readonly Licenses $licenses;
    public readonly Sales $sales;
    public readonly Uploads $uploads;
    public readonly Changes $changes;
    public readonly Exports $exports;
    public readonly Events $events;
    public readonly Webhooks $webhooks;

    private readonly Secret $apiKey;
    private readonly string $baseUrl;
    private readonly Transport $transport;

    /** @var \Closure(float): void */
    private readonly \Closure $sleep;

    private readonly Connection $connection;

    /**
     * @param string|false|null             $apiKey        default: BEATMARKET_API_KEY; false, as from getenv(), is no key
     * @param string|null                   $baseUrl       default: BEATMARKET_BASE_URL, else https://localhost:8443/v1
     * @param string|null                   $caFile        PEM file of the certificate authorities to trust;
     *                                                     default: BEATMARKET_CA_FILE, else the system's authorities
     * @param float                         $timeout       seconds per attempt, from connecting to the last byte of the body
     * @param int                           $maxRetries    attempts after the first: without a response, and for 408, 423, 429,
     *                                                     460, 500, 502, 503, 504, and 409 with Retry-After
     * @param int                           $maxRetryAfter seconds; the call throws if the service asks for a longer wait
     * @param LoggerInterface|\Closure|null $logger        PSR-3, or a function with the parameters of its log();
     *                                                     logs each attempt, without key and bodies
     * @param Transport|null                $transport     default: ext-curl
     * @param \Closure(float): void|null    $sleep         waits that many seconds between attempts; default: usleep()
     *
     * @throws InvalidArgumentException if the key is missing or a setting is invalid
     */
    public function __construct(
        #[\SensitiveParameter] string|false|null $apiKey = null,
        ?string $baseUrl = null,
        ?string $caFile = null,
        private readonly float $timeout = 30,
        private readonly int $maxRetries = 2,
        private readonly int $maxRetryAfter = 60,
        private readonly LoggerInterface|\Closure|null $logger = null,
        ?Transport $transport = null,
        ?\Closure $sleep = null,
    ) {
        $this->apiKey = self::apiKey((string) ($apiKey ?? self::environment('BEATMARKET_API_KEY')));
        $this->baseUrl = trim($baseUrl ?? self::environment('BEATMARKET_BASE_URL') ?? self::BASE_URL, self::SPACE);
        if ($transport !== null && $caFile !== null) {
            throw new InvalidArgumentException('caFile is for ext-curl: tell the transport which authorities to trust.');
        }
        $this->transport = $transport ?? new CurlTransport($caFile ?? self::environment('BEATMARKET_CA_FILE'));
        $this->sleep = $sleep ?? static fn (float $seconds) => usleep((int) ceil($seconds * 1e6));
        $this->connection = new Connection(new BaseUrl($this->baseUrl), new Sender(
            $this->apiKey,
            $timeout,
            new Retries($maxRetries, $maxRetryAfter),
            $this->transport,
            $logger instanceof LoggerInterface ? $logger->log(...) : $logger,
            $this->sleep,
        ));
        $this->beats = new Beats($this->connection);
        $this->users = new Users($this->connection);
        $this->producers = new Producers($this->connection);
        $this->genres = new Genres($this->connection);
        $this->checkouts = new Checkouts($this->connection);
        $this->quotes = new Quotes($this->connection);
        $this->requests = new Requests($this->connection);
        $this->favorites = new Favorites($this->connection);
        $this->playlists = new Playlists($this->connection);
        $this->orders = new Orders($this->connection);
        $this->licenses = new Licenses($this->connection);
        $this->sales = new Sales($this->connection);
        $this->uploads = new Uploads($this->connection);
        $this->changes = new Changes($this->connection);
        $this->exports = new Exports($this->connection);
        $this->events = new Events($this->connection);
        $this->webhooks = new Webhooks();
    }

    /**
     * A copy of this client with other limits, over the same connection: $client->with(timeout: 5)->beats->get(1).
     *
     * @param float|null $timeout       seconds per attempt; null, here and below, keeps the value
     * @param int|null   $maxRetryAfter seconds
     */
    public function with(?float $timeout = null, ?int $maxRetries = null, ?int $maxRetryAfter = null): self
    {
        return new self(
            apiKey: $this->apiKey->reveal(),
            baseUrl: $this->baseUrl,
            timeout: $timeout ?? $this->timeout,
            maxRetries: $maxRetries ?? $this->maxRetries,
            maxRetryAfter: $maxRetryAfter ?? $this->maxRetryAfter,
            logger: $this->logger,
            transport: $this->transport,
            sleep: $this->sleep,
        );
    }

    /**
     * Sends any request below the base URL, with the same key, retries and exceptions as the other methods.
     *
     * @param string                $method  such as GET
     * @param string                $path    such as /beats, percent-encoded
     * @param array<string, mixed>  $query   null values are omitted
     * @param mixed                 $body    sent as JSON; null is no body, [] an empty list, new \stdClass() an empty object
     * @param array<string, string> $headers override the library's
     *
     * @throws APIStatusException       if the status is not 2xx, or the body is not a JSON object or list (204 has none)
     * @throws APIConnectionException   if there is no response
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

    /** @return array<string, mixed> */
    public function __debugInfo(): array
    {
        return ['baseUrl' => $this->baseUrl, 'timeout' => $this->timeout, 'maxRetries' => $this->maxRetries];
    }

    private static function apiKey(#[\SensitiveParameter] string $text): Secret
    {
        $text = trim($text, self::SPACE);
        if (preg_match('/^[\x21-\x7E]+$/D', $text) !== 1) {
            throw new InvalidArgumentException($text === ''
                ? 'An API key is needed: pass apiKey, or set BEATMARKET_API_KEY.'
                : 'The API key has a space, a line break or another character that no key has.');
        }

        return new Secret($text);
    }

    private static function environment(string $name): ?string
    {
        $value = $_SERVER[$name] ?? $_ENV[$name] ?? getenv($name);

        return is_string($value) && $value !== '' ? $value : null;
    }
}
