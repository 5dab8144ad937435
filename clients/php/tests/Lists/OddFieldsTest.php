<?php

declare(strict_types=1);

namespace BeatMarket\Test\Lists;

use BeatMarket\Client;
use BeatMarket\Model\Beat;
use BeatMarket\Model\BeatDetail;
use BeatMarket\Test\ClientCase;
use BeatMarket\Webhooks;

/** A successful response never throws because of its fields: the order that it reports may have been paid. */
final class OddFieldsTest extends ClientCase
{
    /**
     * @testWith ["29.90"]
     *           [null]
     *           [[29.9]]
     *           [true]
     */
    public function testAPlacedOrderIsReturnedEvenWithFieldsOfAnotherType(mixed $amount): void
    {
        $wire = ['amount' => $amount] + self::example('operations', 'createOrder')['reference']['data']['order'];
        $client = $this->client(self::response(['status' => 'success', 'data' => ['order' => $wire]], 201));
        $order = $client->orders->create(beatId: 1, paymentMethod: 'pm_card_visa');
        self::assertSame([$wire['id'], $amount], [$order->id, $order->amount]);
        self::assertSame($wire, $order->toArray());
    }

    public function testANullInOneItemDoesNotAffectTheOthers(): void
    {
        $data = self::example('operations', 'listBeats')['reference']['data'];
        $beats = [self::beat(1), ['title' => null, 'genre' => null] + self::beat(2), self::beat(3)];
        $read = iterator_to_array($this->client(self::success(['beats' => $beats] + $data))->beats->list(maxItems: 3));
        self::assertSame([1, 2, 3], array_column($read, 'id'));
        self::assertSame([null, null], [$read[1]->title, $read[1]->genre]);
    }

    public function testASignedWebhookWithANullIsAnEvent(): void
    {
        $wire = self::example('events', 'beat.purchased');
        $wire['data']['amount'] = null;
        $body = (string) json_encode($wire);
        $secret = 'whsec_dGVzdA==';
        $event = (new Webhooks())->unwrap($body, ['X-Webhook-Signature' => hash_hmac('sha256', $body, $secret)], $secret, null);
        self::assertSame([$wire['id'], null, 'Purchase'], [$event->id, $event->data->amount, (new \ReflectionClass($event->data))->getShortName()]);
    }

    /** @dataProvider oddFields */
    public function testAFieldOfAnotherTypeIsUnchanged(string $field, string $property, mixed $value): void
    {
        self::assertSame($value, BeatDetail::fromArray([$field => $value] + self::beat())->$property);
    }

    /** @return list<array{string, string, mixed}> */
    public static function oddFields(): array
    {
        return [
            ['id', 'id', '1'], ['user_id', 'userId', 1.5], ['id', 'id', null], ['title', 'title', 7], ['price', 'price', '29.9'],
            ['genre', 'genre', 'House'], ['genre', 'genre', 7], ['tags', 'tags', 'warm'], ['tags', 'tags', [1, null]],
            ['licenses', 'licenses', [1, null, 'basic']], ['licenses', 'licenses', null], ['licenses', 'licenses', 'none'],
        ];
    }

    public function testAnEmptyObjectDiffersFromAnEmptyList(): void
    {
        $json = '{"id":1,"analysis":{},"licenses":[{},[]],"genre":[],"more":{"deep":{}}}';
        $beat = $this->client(self::response("{\"status\":\"success\",\"data\":{\"beat\":{$json}}}"))->beats->get(1);
        self::assertSame($json, json_encode($beat));
        self::assertSame([null, []], [$beat->analysis?->bpm, $beat->genre]);
        self::assertSame([null, []], [$beat->licenses[0]->type, $beat->licenses[1]]);
        $list = self::response('{"status":"success","data":{"beat":[]}}');
        $this->expectException(\BeatMarket\Exception\APIStatusException::class);
        $this->client($list)->beats->get(1);
    }

    public function testAMissingFieldReadsAsNull(): void
    {
        $beat = Beat::fromArray(['id' => 1]);
        self::assertNull($beat->producerName);
        self::assertNull($beat->genre);
        self::assertFalse(isset($beat->producerName));
        self::assertTrue(isset($beat->id));
    }

    /** @dataProvider changes */
    public function testAChangeWithoutItsResultDoesNotThrow(string $data, \Closure $call): void
    {
        self::assertSame([], $call($this->client(self::response("{\"status\":\"success\",\"data\":{$data}}", 201)))->toArray());
    }

    /** @return iterable<string, array{string, \Closure(Client): \BeatMarket\Model}> */
    public static function changes(): iterable
    {
        $calls = [
            'order' => static fn (Client $client) => $client->orders->create(1, 'pm_card_visa'),
            'beat' => static fn (Client $client) => $client->beats->update(1, title: 'x'),
            'user' => static fn (Client $client) => $client->users->updateProfile(bio: null),
            'upload' => static fn (Client $client) => $client->uploads->retry('upl_1'),
        ];
        foreach ($calls as $key => $call) {
            yield "{$key} missing" => ['{}', $call];
            yield "{$key} null" => ["{\"{$key}\":null}", $call];
            yield "{$key} text" => ["{\"{$key}\":\"done\"}", $call];
        }
    }

    /** @dataProvider oddPages */
    public function testAPageWithInvalidPageNumbersHasItsItems(mixed $pagination): void
    {
        $page = $this->client(self::success(['beats' => [self::beat(1), 'odd', null], 'pagination' => $pagination]))->beats->list();
        self::assertSame(1, $page->data[0]->id);
        self::assertSame(['odd', null], array_slice($page->data, 1));
        self::assertCount(3, iterator_to_array($page, false));
    }

    /** @return list<array{mixed}> */
    public static function oddPages(): array
    {
        return [
            [['total' => '45', 'per_page' => null, 'current_page' => 1.5, 'last_page' => [], 'next_page_url' => null]],
            [new \stdClass()], [['surprise' => 1]],
        ];
    }
}
