<?php

declare(strict_types=1);

namespace BeatMarket;

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
    private const SPACE = " \t\n\v\f\r"; // Removed around a key or an address, such as the line break at the end of a file.

    /** @return array<string, mixed> */
    public function __debugInfo(): array
    {
        return [
            'baseUrl' => $this->connection->baseUrl->to(''),
            'timeout' => $this->connection->sender->timeout,
            'maxRetries' => $this->connection->sender->retries->max,
        ];
    }

    private static function open(#[\SensitiveParameter] Settings $given): Connection
    {
        $key = trim((string) ($given->apiKey ?? self::environment('BEATMARKET_API_KEY')), self::SPACE);
        $url = trim($given->baseUrl ?? self::environment('BEATMARKET_BASE_URL') ?? self::BASE_URL, self::SPACE);
        if (preg_match('/^[\x21-\x7E]+$/D', $key) !== 1) {
            throw new InvalidArgumentException($key === ''
                ? 'An API key is needed: pass apiKey, or set BEATMARKET_API_KEY.'
                : 'The API key has a space, a line break or another character that no key has.');
        }
        if ($given->transport !== null && $given->caFile !== null) {
            throw new InvalidArgumentException('caFile is for ext-curl: tell the transport which authorities to trust.');
        }

        return new Connection(new BaseUrl($url, $given->allowHttp), new Sender(
            new Secret($key),
            $given->timeout,
            new Retries($given->maxRetries, $given->maxRetryAfter),
            match (true) {
                $given->transport instanceof ClientInterface => Psr18Transport::over($given->transport),
                default => $given->transport ?? new CurlTransport($given->caFile ?? self::environment('BEATMARKET_CA_FILE')),
            },
            $given->sleep ?? static fn (float $seconds) => usleep((int) ceil($seconds * 1e6)),
            new Extras($given->headers, $given->userAgentSuffix),
            new Observers(
                $given->onRequest,
                $given->onResponse,
                $given->logger instanceof LoggerInterface ? $given->logger->log(...) : $given->logger,
                self::environment('BEATMARKET_LOG'),
            ),
        ));
    }

    private static function environment(string $name): ?string
    {
        $value = $_SERVER[$name] ?? $_ENV[$name] ?? getenv($name);

        return is_string($value) && $value !== '' ? $value : null;
    }
}
