<?php

declare(strict_types=1);

namespace BeatMarket;

use BeatMarket\Exception\APIConnectionException;
use BeatMarket\Exception\APIStatusException;
use BeatMarket\Exception\BeatMarketException;
use BeatMarket\Exception\InvalidArgumentException;
use BeatMarket\Http\BaseUrl;
use BeatMarket\Http\Connection;
use BeatMarket\Http\CurlTransport;
use BeatMarket\Http\Retries;
use BeatMarket\Http\Transport;
use BeatMarket\Model\Beat;
use BeatMarket\Model\Fields;
use BeatMarket\Model\Producer;
use BeatMarket\Resource\Beats;
use BeatMarket\Resource\Genres;
use BeatMarket\Resource\Orders;
use BeatMarket\Resource\Producers;
use BeatMarket\Resource\Users;
use Psr\Log\LoggerInterface;

/**
 * The Beat Marketplace API. One client serves a whole process: it keeps its connection open between calls.
 *
 * Every call throws an APIStatusException for an answer that is no success, an APIConnectionException when no answer came,
 * and an InvalidArgumentException, with nothing sent, for what could not work. All are BeatMarketExceptions.
 */
final class Client
{
    public const VERSION = '0.1.0';

    private const BASE_URL = 'https://localhost:8443/v1';

    public readonly Beats $beats;
    public readonly Users $users;
    public readonly Producers $producers;
    public readonly Genres $genres;
    public readonly Orders $orders;
    public readonly Webhooks $webhooks;

    private readonly Secret $apiKey;
    private readonly string $baseUrl;
    private readonly Transport $transport;

    /** @var \Closure(float): void */
    private readonly \Closure $sleep;

    private readonly Connection $connection;

    /**
     * @param string|false|null             $apiKey        absent: BEATMARKET_API_KEY; false, as getenv() says, is none
     * @param string|null                   $baseUrl       absent: BEATMARKET_BASE_URL, else https://localhost:8443/v1
     * @param string|null                   $caFile        PEM file of the authorities to trust instead of the system's;
     *                                                     absent: BEATMARKET_CA_FILE
     * @param float                         $timeout       seconds for each try, from connecting to the body's last byte
     * @param int                           $maxRetries    tries after the first: without an answer, and for 408, 429, 500,
     *                                                     502, 503, 504, and 409 with Retry-After
     * @param int                           $maxRetryAfter seconds; when the service asks for a longer wait the call throws
     * @param LoggerInterface|\Closure|null $logger        PSR-3, or a function of level, message and context as its log();
     *                                                     told each try, without key and bodies
     * @param Transport|null                $transport     absent: ext-curl
     * @param \Closure(float): void|null    $sleep         waits that many seconds between tries; absent: usleep()
     *
     * @throws InvalidArgumentException when there is no key or a setting cannot work
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
        $this->baseUrl = $baseUrl ?? self::environment('BEATMARKET_BASE_URL') ?? self::BASE_URL;
        if ($transport !== null && $caFile !== null) {
            throw new InvalidArgumentException('caFile is for ext-curl: tell the transport which authorities to trust.');
        }
        $this->transport = $transport ?? new CurlTransport($caFile ?? self::environment('BEATMARKET_CA_FILE'));
        $this->sleep = $sleep ?? static fn (float $seconds) => usleep((int) ceil($seconds * 1e6));
        $this->connection = new Connection(
            $this->apiKey,
            new BaseUrl($this->baseUrl),
            $timeout,
            new Retries($maxRetries, $maxRetryAfter),
            $this->transport,
            $logger instanceof LoggerInterface ? $logger->log(...) : $logger,
            $this->sleep,
        );
        $this->beats = new Beats($this->connection);
        $this->users = new Users($this->connection);
        $this->producers = new Producers($this->connection);
        $this->genres = new Genres($this->connection);
        $this->orders = new Orders($this->connection);
        $this->webhooks = new Webhooks();
    }

    /**
     * The same client, over the same connection, with other limits: $client->with(timeout: 5)->beats->get(1).
     *
     * @param float|null $timeout       seconds for each try; null keeps what it was, here and below
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
     * Searches beats and producers. Every word must match, the last one may be unfinished; accents, case and, from four
     * letters on, typing errors are forgiven.
     *
     * @param string|null $type     one of Value\SearchType; all by default
     * @param int|null    $page     from 1
     * @param int|null    $limit    results on a page, 1 to 50; 20 by default
     * @param int|null    $maxItems ends a foreach after so many results
     *
     * @throws BeatMarketException
     */
    public function search(
        string $q,
        ?string $type = null,
        ?int $page = null,
        ?int $limit = null,
        ?int $maxItems = null,
    ): SearchPage {
        $query = ['q' => $q, 'type' => $type, 'page' => $page, 'limit' => $limit];

        return SearchPage::at(
            $this->connection->url(Operation::Search, query: $query),
            $this->connection,
            static fn (Fields $data): array => [
                ...$data->models('beats', Beat::class),
                ...$data->models('producers', Producer::class),
            ],
            $maxItems,
        );
    }

    /**
     * Sends any request below the base URL, with the same key, retries and exceptions: for what this version has no method.
     *
     * @param string                $method  such as GET
     * @param string                $path    such as /beats, what stands in it percent-encoded
     * @param array<string, mixed>  $query   null is left out
     * @param mixed                 $body    becomes JSON; null is no body, [] is a list, new \stdClass() an empty object
     * @param array<string, string> $headers take the place of those the library sends
     *
     * @throws APIStatusException       when the status is not 2xx, or the body no JSON object or list
     * @throws APIConnectionException   when no answer came
     * @throws InvalidArgumentException when the request cannot be sent as it is
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
