<?php

declare(strict_types=1);

namespace BeatMarket\Http;

use BeatMarket\Exception\APIConnectionException;
use BeatMarket\Exception\APITimeoutException;
use BeatMarket\Exception\InvalidArgumentException;
use BeatMarket\Response;
use Psr\Http\Client\ClientExceptionInterface;
use Psr\Http\Client\ClientInterface;
use Psr\Http\Message\RequestFactoryInterface;
use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\StreamFactoryInterface;

/**
 * A transport over any PSR-18 client. Configure timeouts, proxies and certificates on that client. It must not follow
 * redirects, which would send the key to another origin.
 */
final class Psr18Transport implements Transport
{
    public function __construct(
        private readonly ClientInterface $client,
        private readonly RequestFactoryInterface $requestFactory,
        private readonly StreamFactoryInterface $streamFactory,
    ) {
    }

    /** Creates a transport over this client. The factories are the client itself, Guzzle's or Nyholm's. */
    public static function over(ClientInterface $client): self
    {
        $classes = array_filter(['GuzzleHttp\\Psr7\\HttpFactory', 'Nyholm\\Psr7\\Factory\\Psr17Factory'], class_exists(...));
        foreach ([$client, ...array_map(static fn (string $class): object => new $class(), $classes)] as $factory) {
            if ($factory instanceof RequestFactoryInterface && $factory instanceof StreamFactoryInterface) {
                return new self($client, $factory, $factory);
            }
        }
        throw new InvalidArgumentException(
            'The PSR-18 client needs a factory of requests and streams: install guzzlehttp/psr7 or nyholm/psr7, or pass a '
            . 'Psr18Transport with your own factories.',
        );
    }

    public function send(Request $request): Response
    {
        $message = $this->requestFactory->createRequest($request->method, $request->url);
        foreach ($request->headers() as $name => $value) {
            $message = $message->withHeader($name, $value);
        }
        if ($request->body !== null) {
            $message = $message->withBody($this->streamFactory->createStream($request->body));
        }
        $psrResponse = self::reached($request, fn (): ResponseInterface => $this->client->sendRequest($message));
        $status = $psrResponse->getStatusCode();
        $headers = [];
        foreach ($psrResponse->getHeaders() as $name => $values) {
            $headers[strtolower((string) $name)] = implode(', ', $values);
        }
        $body = $psrResponse->getBody();
        $response = new Response($status, $headers, '');
        if ($request->download?->begin($response) !== true) {
            return new Response($status, $headers, self::reached($request, $body->__toString(...)));
        }
        for ($bytes = 0; !$body->eof(); $bytes += strlen($chunk)) {
            $chunk = self::reached($request, static fn (): string => $body->read(65_536));
            $request->download->write($chunk);
        }
        if ($bytes < (int) ($headers['content-length'] ?? 0)) { // Not every client throws for a truncated body.
            throw new APIConnectionException('The connection was closed within the response.');
        }

        return $response;
    }

    /**
     * @template T
     * @param \Closure(): T $call of the client or of a body
     * @return T
     */
    private static function reached(Request $request, \Closure $call): mixed
    {
        try {
            return $call();
        } catch (ClientExceptionInterface | \RuntimeException $error) {
            // The exception contains the request with the key; its message does not contain the key.
            $message = str_replace($request->url, $request->shownUrl(), $error->getMessage());
            $cause = new \RuntimeException($error::class . ": {$message}", (int) $error->getCode());
            if (self::says($error, '/Timeout|\bcURL error 28\b|\btimed out\b/i')) {
                throw new APITimeoutException("No complete response in the time that the HTTP client allows: {$message}", $cause);
            }
            $isCertificate = self::says($error, '/\bcURL error (51|60|77|83|91)\b|certificate verify failed/');
            $what = $isCertificate ? 'The certificate of the service is not valid for the HTTP client' : 'The service could not be reached';
            throw new APIConnectionException("{$what}: {$message}", $cause, isRetryable: !$isCertificate);
        }
    }

    /** Whether the class or message of an exception or of one of its causes matches: PSR-18 has no error codes. */
    private static function says(\Throwable $error, string $pattern): bool
    {
        for ($cause = $error; $cause !== null; $cause = $cause->getPrevious()) {
            if (preg_match($pattern, $cause::class . ' ' . explode(' for http', $cause->getMessage())[0]) === 1) {
                return true;
            }
        }

        return false;
    }
}
