<?php

declare(strict_types=1);

namespace BeatMarket\Http;

use BeatMarket\Exception\APIConnectionException;
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
        if ($request->download?->begin($status, $headers) !== true) {
            return new Response($status, $headers, self::reached($request, $body->__toString(...)));
        }
        while (!$body->eof()) {
            $request->download->write(self::reached($request, static fn (): string => $body->read(65_536)));
        }

        return new Response($status, $headers, '');
    }

    /**
     * @template T
     *
     * @param \Closure(): T $call of the client or of a body
     *
     * @return T
     */
    private static function reached(Request $request, \Closure $call): mixed
    {
        try {
            return $call();
        } catch (ClientExceptionInterface | \RuntimeException $error) {
            // The exception holds the request with the key; its message does not.
            $message = $request->redact($error->getMessage());
            $cause = new \RuntimeException($error::class . ": {$message}", (int) $error->getCode());
            throw new APIConnectionException("The service could not be reached: {$message}", $cause);
        }
    }
}
