<?php

declare(strict_types=1);

namespace BeatMarket\Test\Http;

use BeatMarket\Client;
use BeatMarket\Exception\APIConnectionException;
use BeatMarket\Exception\BeatMarketException;
use BeatMarket\Test\ClientCase;
use BeatMarket\Testing\FakeTransport;

final class SecretsTest extends ClientCase
{
    private const SECRET = 'whsec_ThatNobodyMaySee';

    public function testDumpsOfTheClientDoNotShowTheKey(): void
    {
        $client = $this->client(self::success(['beat' => self::beat()]));
        $beat = $client->beats->get(1);
        foreach ([$client, $client->beats, $client->users, $client->webhooks, $beat, $beat->response(), $this->transport->requests[0]] as $object) {
            self::assertNotNull($object);
            foreach (self::prints($object) as $print) {
                self::assertStringNotContainsString(self::KEY, $print);
            }
        }
    }

    public function testDumpsOfAnErrorDoNotShowKeyOrSecret(): void
    {
        $client = $this->client(self::failure(400), new APIConnectionException('refused', new \RuntimeException('below')));
        $calls = [
            static fn () => $client->beats->get(1),
            static fn () => $client->with(maxRetries: 0)->orders->create(1, 'pm_card_visa'),
            static fn () => $client->request('GET', 'bad'),
            static fn () => $client->webhooks->verify('{}', '0', self::SECRET),
            static fn () => $client->webhooks->verify('{}', '0', [self::SECRET, '']),
            static fn () => $client->webhooks->unwrap('{}', [], [self::SECRET]),
            static fn () => new Client(apiKey: self::KEY, baseUrl: 'nowhere'),
            static fn () => new Client(apiKey: self::KEY . "\n" . self::KEY),
        ];
        foreach ($calls as $call) {
            try {
                $call();
                self::fail('There was no error.');
            } catch (BeatMarketException $error) {
                // Only the first frame: the others contain this test's own objects. Before PHP 8.2 traces contain parameters.
                foreach ([(string) $error, print_r(PHP_VERSION_ID >= 80200 ? $error->getTrace()[0] : [], true)] as $print) {
                    self::assertStringNotContainsString(self::KEY, $print);
                    self::assertStringNotContainsString(self::SECRET, $print);
                }
            }
        }
    }

    public function testRedactsAKeyThatTheServiceRepeats(): void
    {
        $error = ['code' => 'unauthorized', 'message' => 'No ' . self::KEY, 'details' => 'Given: ' . self::KEY];
        try {
            $this->client(self::response(['status' => 'error', 'error' => $error], 401))->search(self::KEY);
            self::fail('There was no error.');
        } catch (BeatMarketException $error) {
            self::assertStringNotContainsString(self::KEY, $error->getMessage());
            self::assertStringContainsString('[redacted]', $error->getMessage());
        }
        self::assertStringNotContainsString(self::KEY, implode($this->log));
    }

    public function testLogsEachAttemptWithoutKeyAndBodies(): void
    {
        $order = self::example('operations', 'createOrder')['reference']['data'];
        $this->client(new APIConnectionException('refused'), self::failure(503), self::success($order, ['x-request-id' => 'r-7']))
            ->orders->create(beatId: 1, paymentMethod: 'pm_private');
        $log = implode("\n", $this->log);
        foreach (['warning {method} {url}: {error}', 'refused', 'info Trying again', '"status":503', '"status":200', '"request_id":"r-7"'] as $part) {
            self::assertStringContainsString($part, $log);
        }
        self::assertStringNotContainsString(self::KEY, $log);
        self::assertStringNotContainsString('pm_private', $log);
    }

    public function testAcceptsAPsr3Logger(): void
    {
        $logger = $this->createMock(\Psr\Log\LoggerInterface::class);
        $logger->expects(self::once())->method('log')->with('debug', self::stringContains('{status}'), self::arrayHasKey('status'));
        $transport = new FakeTransport(self::success([]));
        (new Client(apiKey: self::KEY, logger: $logger, transport: $transport))->request('GET', '/beats');
    }

    public function testAClientCannotBeSerialized(): void
    {
        $this->expectException(\LogicException::class);
        serialize($this->client()->beats);
    }

    /** @return list<string> */
    private static function prints(object $object): array
    {
        ob_start();
        var_dump($object, (array) $object);
        debug_zval_dump($object);
        $dump = (string) ob_get_clean();

        return [$dump, print_r($object, true), var_export((array) $object, true), (string) json_encode($object, JSON_PARTIAL_OUTPUT_ON_ERROR)];
    }
}

