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

    private function bodyOf(ResponseInterface $psrResponse, ?Download $download): string
    {
        $headers = array_map(static fn (array $values): string => implode(', ', $values), array_change_key_case($psrResponse->getHeaders()));
        $body = $psrResponse->getBody();
        if ($download === null || !$download->begin($psrResponse->getStatusCode(), $headers)) {
            return (string) $body;
        }
        while (!$body->eof()) {
            $download->write($body->read(65_536));
        }

        return '';
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
        try {
            $psrResponse = $this->client->sendRequest($message);
            $body = $this->bodyOf($psrResponse, $request->download);
        } catch (ClientExceptionInterface | \RuntimeException $error) {
            // The exception holds the request with the key; its message does not.
            $cause = new \RuntimeException($error::class . ': ' . $error->getMessage(), (int) $error->getCode());
            throw new APIConnectionException("The service could not be reached: {$error->getMessage()}", $cause);
        }
        $headers = [];
        foreach ($psrResponse->getHeaders() as $name => $values) {
            $headers[strtolower((string) $name)] = implode(', ', $values);
        }

        return new Response($psrResponse->getStatusCode(), $headers, $body);
    }
}
