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
use BeatMarket\Http\Extras;
use BeatMarket\Http\Observers;
use BeatMarket\Http\Psr18Transport;
use BeatMarket\Http\Retries;
use BeatMarket\Http\Sender;
use BeatMarket\Http\Transport;
use Psr\Http\Client\ClientInterface;
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

    /**
     * @param string|false|null                   $apiKey          default: BEATMARKET_API_KEY; false, as from getenv(), is no key
     * @param string|null                         $baseUrl         default: BEATMARKET_BASE_URL, else https://localhost:8443/v1
     * @param string|null                         $caFile          PEM file of the certificate authorities to trust;
     *                                                             default: BEATMARKET_CA_FILE, else the system's authorities
     * @param float                               $timeout         seconds per attempt, from connecting to the last byte of the body
     * @param int                                 $maxRetries      attempts after the first: without a response, and for 408, 423,
     *                                                             429, 460, 500, 502, 503, 504, and 409 with Retry-After
     * @param int                                 $maxRetryAfter   seconds; the call throws if the service asks for a longer wait
     * @param LoggerInterface|\Closure|null       $logger          PSR-3, or a function with the parameters of its log();
     *                                                             logs each attempt, without key and bodies
     * @param Transport|ClientInterface|null      $transport       a PSR-18 client; default: ext-curl
     * @param \Closure(float): void|null          $sleep           waits that many seconds between attempts; default: usleep()
     * @param array<string, string>               $headers         sent with each request to the API
     * @param string|null                         $userAgentSuffix such as my-shop/1.2, sent after the client's own User-Agent
     * @param bool                                $allowHttp       takes a baseUrl in plain http, over which the key is readable: for
     *                                                             mock servers and side-cars; without it, only for this machine
     * @param \Closure(RequestInfo): mixed|null   $onRequest       called when an attempt begins; what it throws, the call throws
     * @param \Closure(ResponseInfo): mixed|null  $onResponse      called when an attempt has ended
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
        $key = self::apiKey((string) ($apiKey ?? self::environment('BEATMARKET_API_KEY')));
        $url = trim($baseUrl ?? self::environment('BEATMARKET_BASE_URL') ?? self::BASE_URL, self::SPACE);
        if ($transport !== null && $caFile !== null) {
            throw new InvalidArgumentException('caFile is for ext-curl: tell the transport which authorities to trust.');
        }
        $this->connect(new Connection(new BaseUrl($url, $allowHttp), new Sender(
            $key,
            $timeout,
            new Retries($maxRetries, $maxRetryAfter),
            match (true) {
                $transport instanceof ClientInterface => Psr18Transport::over($transport),
                default => $transport ?? new CurlTransport($caFile ?? self::environment('BEATMARKET_CA_FILE')),
            },
            $sleep ?? static fn (float $seconds) => usleep((int) ceil($seconds * 1e6)),
            new Extras($headers, $userAgentSuffix),
            new Observers(
                $onRequest,
                $onResponse,
                $logger instanceof LoggerInterface ? $logger->log(...) : $logger,
                self::environment('BEATMARKET_LOG'),
            ),
        )));
    }

    /**
     * A copy of this client with other options, over the same connection: $client->with(timeout: 5)->beats->get(1).
     *
     * @param float|null            $timeout       seconds per attempt; null, here and below, keeps the value
     * @param int|null              $maxRetryAfter seconds
     * @param array<string, string> $headers       sent as well, or instead of the client's
     * @param array<string, mixed>  $query         fields that are added to the query of each call; one that it sends itself is
     *                                             refused
     * @param array<string, mixed>  $body          fields that are added to the JSON body of each call, as $query
     */
    public function with(
        ?float $timeout = null,
        ?int $maxRetries = null,
        ?int $maxRetryAfter = null,
        array $headers = [],
        array $query = [],
        array $body = [],
    ): self {
        $sender = $this->connection->sender;
        $retries = new Retries($maxRetries ?? $sender->retries->max, $maxRetryAfter ?? $sender->retries->maxRetryAfter);
        $copy = (new \ReflectionClass($this))->newInstanceWithoutConstructor();
        $copy->connect(new Connection(
            $this->connection->baseUrl,
            $sender->with($timeout ?? $sender->timeout, $retries, $sender->extras->with($headers, $query, $body)),
        ));

        return $copy;
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
        $sender = $this->connection->sender;

        return [
            'baseUrl' => $this->connection->baseUrl->to(''),
            'timeout' => $sender->timeout,
            'maxRetries' => $sender->retries->max,
        ];
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
