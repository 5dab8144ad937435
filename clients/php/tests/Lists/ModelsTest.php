<?php

declare(strict_types=1);

namespace BeatMarket\Test\Lists;

use BeatMarket\Collection;
use BeatMarket\Model\Beat;
use BeatMarket\Model\BeatDetail;
use BeatMarket\Model\Event;
use BeatMarket\Model\Genre;
use BeatMarket\Model;
use BeatMarket\Model\Order;
use BeatMarket\Model\Purchase;
use BeatMarket\RateLimit;
use BeatMarket\Test\ClientCase;
use BeatMarket\Value\BeatStatus;
use BeatMarket\Value\EventType;
use BeatMarket\Value\OrderStatus;

final class ModelsTest extends ClientCase
{
    /**
     * @dataProvider operations
     *
     * @param \Closure(\BeatMarket\Client): object $call
     */
    public function testParsesTheExampleOfEachOperation(string $operation, \Closure $call): void
    {
        $data = self::example('operations', $operation)['reference']['data'];
        $result = $call($this->client(self::success($data)));
        $json = json_decode((string) json_encode($result), true);
        $name = (string) array_key_first($data);
        self::assertEquals(match (true) {
            in_array($operation, ['search', 'listChanges', 'listEvents', 'listOrderFiles', 'listRequests'], true) => $data,
            $result instanceof Collection, $result instanceof Model => $data[$name],
            default => ['data' => $data[$name]] + array_diff_key($data, [$name => true]),
        }, $json);
    }

    /** @return list<array{string, \Closure(\BeatMarket\Client): object}> */
    public static function operations(): array
    {
        return [
            ['listBeats', static fn ($client) => $client->beats->list()],
            ['getBeat', static fn ($client) => $client->beats->get(1)],
            ['listSimilarBeats', static fn ($client) => $client->beats->similar(1, limit: 2)],
            ['getUser', static fn ($client) => $client->users->get(1)],
            ['updateProfile', static fn ($client) => $client->users->updateProfile(bio: 'x')],
            ['listProducers', static fn ($client) => $client->producers->list(sort: 'name')],
            ['listGenres', static fn ($client) => $client->genres->list()],
            ['search', static fn ($client) => $client->search('midnight')],
            ['listOrders', static fn ($client) => $client->orders->list(status: OrderStatus::COMPLETED)],
            ['getOrder', static fn ($client) => $client->orders->get(1)],
            ['createOrder', static fn ($client) => $client->orders->create(1, 'pm_card_visa')],
            ['createCheckout', static fn ($client) => $client->checkouts->create([['beat_id' => 1, 'license_type' => 'premium']])],
            ['createQuote', static fn ($client) => $client->quotes->create([['beat_id' => 1, 'license_type' => 'premium']])],
            ['getCheckout', static fn ($client) => $client->checkouts->get(1)],
            ['listFavorites', static fn ($client) => $client->favorites->list()],
            ['addFavorite', static fn ($client) => $client->favorites->add(1)],
            ['removeFavorite', static fn ($client) => $client->favorites->remove(1)],
            ['listFollowing', static fn ($client) => $client->users->following()],
            ['followUser', static fn ($client) => $client->users->follow(1)],
            ['unfollowUser', static fn ($client) => $client->users->unfollow(1)],
            ['listPlaylists', static fn ($client) => $client->playlists->list()],
            ['createPlaylist', static fn ($client) => $client->playlists->create('Drives')],
            ['getPlaylist', static fn ($client) => $client->playlists->get('pl_1')],
            ['updatePlaylist', static fn ($client) => $client->playlists->update('pl_1', title: 'Later')],
            ['deletePlaylist', static fn ($client) => $client->playlists->delete('pl_1')],
            ['addPlaylistBeat', static fn ($client) => $client->playlists->addBeat('pl_1', 1)],
            ['removePlaylistBeat', static fn ($client) => $client->playlists->removeBeat('pl_1', 1)],
            ['listOrderFiles', static fn ($client) => $client->orders->files(1)],
            ['listOrderInvoices', static fn ($client) => $client->orders->invoices(1)],
            ['createSandbox', static fn ($client) => $client->sandboxes->create('checkout-flow', catalogue: 'empty')],
            ['listSandboxes', static fn ($client) => $client->sandboxes->list()],
            ['getSandbox', static fn ($client) => $client->sandboxes->get('3n0vk7d2m9q4xw1c')],
            ['deleteSandbox', static fn ($client) => $client->sandboxes->delete('3n0vk7d2m9q4xw1c')],
            ['advanceSandbox', static fn ($client) => $client->sandboxes->advance('3n0vk7d2m9q4xw1c', 'P90D')],
            ['forkSandbox', static fn ($client) => $client->sandboxes->fork('3n0vk7d2m9q4xw1c')],
            ['triggerEvent', static fn ($client) => $client->events->trigger('order.refunded')],
            ['listLicenseUsage', static fn ($client) => $client->licenses->usage('7f0c9a52')],
            ['reportLicenseUsage', static fn ($client) => $client->licenses->reportUsage('7f0c9a52', 'streams', 82_000, '2026-11', 'Distributor')],
            ['upgradeLicense', static fn ($client) => $client->licenses->upgrade('7f0c9a52', 'premium', 'pm_card_visa')],
            ['askLicense', static fn ($client) => $client->licenses->may('7f0c9a52', 'streams')],
            ['listSales', static fn ($client) => $client->sales->list(beat: 502)],
            ['listOwnBeats', static fn ($client) => $client->users->myBeats(status: BeatStatus::DRAFT)],
            ['createBeat', static fn ($client) => $client->beats->create('Harbour Lights', 'Ambient', 'upl_1', 29.9)],
            ['updateBeat', static fn ($client) => $client->beats->update(501, title: 'Harbour Lights II')],
            ['withdrawBeat', static fn ($client) => $client->beats->withdraw(503)],
            ['listUploads', static fn ($client) => $client->uploads->list()],
            ['getUpload', static fn ($client) => $client->uploads->get('upl_1')],
            ['retryUpload', static fn ($client) => $client->uploads->retry('upl_1')],
            ['listEvents', static fn ($client) => $client->events->list(type: EventType::BEAT_UPDATED)],
            ['listRequests', static fn ($client) => $client->requests->list()],
            ['getRequest', static fn ($client) => $client->requests->get('01a1f3ad-8e00-7000-8000-000000000001')],
            ['getEvent', static fn ($client) => $client->events->get('evt_1')],
            ['listChanges', static fn ($client) => $client->changes->list()],
        ];
    }

    public function testTheListHasEachOperationWithAJsonResponse(): void
    {
        $operations = array_filter(self::examples()['operations'], static fn (array $example): bool => isset($example['reference']));
        self::assertEqualsCanonicalizing(array_keys($operations), array_column(self::operations(), 0));
    }

    public function testFieldsAreTypedPropertiesInCamelCase(): void
    {
        $beat = $this->client(self::success(['beat' => self::beat(1)]))->beats->get(1);
        self::assertSame([1, 35, 'Neo Soul', 29.9], [$beat->id, $beat->userId, $beat->genre->name, $beat->price]);
        self::assertSame(['basic', true], [$beat->licenses[0]->type, $beat->licenses[0]->available]);
        $whole = Beat::fromArray(['price' => 30] + self::beat());
        self::assertSame([30.0, 30], [$whole->price, $whole->toArray()['price']]);
    }

    public function testOwnBeatsHaveAStatus(): void
    {
        $beat = BeatDetail::fromArray(self::example('operations', 'createBeat')['reference']['data']['beat']);
        self::assertSame(['draft', 'analysis', 'default', null], [$beat->status, $beat->bpmSource, $beat->previewTag, $beat->rejection]);
        self::assertNull(BeatDetail::fromArray(self::beat())->status);
    }

    public function testAnalysedBeatsHaveAnAnalysis(): void
    {
        $beat = BeatDetail::fromArray(self::example('operations', 'createBeat')['reference']['data']['beat']);
        self::assertSame([92.0, 0.84, 44_100], [$beat->analysis?->bpm, $beat->analysis?->keyConfidence, $beat->analysis?->sampleRate]);
        $other = BeatDetail::fromArray(array_diff_key(self::beat(), ['analysis' => 1, 'waveform_url' => 1]));
        self::assertSame([null, null], [$other->analysis, $other->waveformUrl]);
    }

    public function testAnOrderHasItsRefundedAmountAndNextAction(): void
    {
        $wire = self::example('operations', 'getOrder')['reference']['data']['order'];
        $order = Order::fromArray($wire);
        self::assertSame([0.0, null, null, null], [$order->refundedAmount, $order->refundedAt, $order->clientSecret, $order->nextAction]);
        $pending = Order::fromArray([
            'refunded_amount' => 9.5, 'refunded_at' => '2026-11-22T12:00:00Z', 'client_secret' => 'pi_secret',
            'next_action' => ['type' => 'redirect', 'url' => 'https://localhost:8443/pay/x'],
        ] + $wire);
        self::assertSame([9.5, '2026-11-22T12:00:00Z', 'pi_secret'], [$pending->refundedAmount, $pending->refundedAt, $pending->clientSecret]);
        self::assertSame(['redirect', 'https://localhost:8443/pay/x'], [$pending->nextAction?->type, $pending->nextAction?->url]);
    }

    public function testTheFilesOfAnOrderAndSalesAreTyped(): void
    {
        $client = $this->client(
            self::success(self::example('operations', 'listOrderFiles')['reference']['data']),
            self::success(self::example('operations', 'listSales')['reference']['data']),
        );
        $files = $client->orders->files(1);
        self::assertSame(['mp3', 7_481_390, 'valid'], [$files->files[0]->kind, $files->files[0]->bytes, $files->license->status]);
        [$sale] = $client->sales->list()->data;
        self::assertSame(['Harbour Noon', 59.99, 'Maya Reed', null], [$sale->beat->title, $sale->amount, $sale->buyer->name, $sale->licenseId]);
    }

    public function testListingFilesHasATimeoutOf40Seconds(): void
    {
        // The default of 30 seconds, and 10 in which the service may wait for files that are not ready.
        $this->client(self::success(self::example('operations', 'listOrderFiles')['reference']['data']))->orders->files(1);
        self::assertSame(40.0, $this->transport->requests[0]->timeoutSeconds);
    }

    public function testUnknownFieldsAndValuesAreKept(): void
    {
        $wire = ['mood' => ['name' => 'dark'], 'licenses' => [['type' => 'stems', 'price' => 5, 'available' => true, 'x' => 1]]] + self::beat();
        $beat = $this->client(self::success(['beat' => $wire]))->beats->get(1);
        self::assertSame($wire, $beat->toArray());
        self::assertSame('stems', $beat->licenses[0]->type);
        self::assertSame(1, $beat->licenses[0]->toArray()['x']);
    }

    public function testAModelCanBeReadAsAnArrayWithTheApisFieldNames(): void
    {
        $beat = BeatDetail::fromArray(['new_field' => 'x'] + self::beat());
        self::assertSame([$beat->producerName, $beat->genre, 'x'], [$beat['producer_name'], $beat['genre'], $beat['new_field']]);
        self::assertSame([true, false], [isset($beat['title']), isset($beat['no_field'])]);
        $this->expectExceptionMessage('Cannot modify readonly property');
        $beat['title'] = 'mine';
    }

    public function testEachEnumHasConstantsAndCases(): void
    {
        self::assertSame([BeatStatus::Published, BeatStatus::PUBLISHED], [BeatStatus::tryFrom('published'), BeatStatus::Published->value]);
        self::assertNull(BeatStatus::tryFrom('later'));
        foreach (EventType::cases() as $case) {
            self::assertArrayHasKey($case->value, Event::MODELS);
        }
    }

    public function testAModelCannotBeChanged(): void
    {
        $beat = Beat::fromArray(self::beat());
        $this->expectException(\Error::class);
        // @phpstan-ignore-next-line
        $beat->title = 'mine';
    }

    public function testASingleResultAndAPageHaveTheirResponse(): void
    {
        $headers = ['x-request-id' => 'r', 'x-ratelimit-limit' => '10', 'x-ratelimit-remaining' => '9', 'x-ratelimit-reset' => '5'];
        $client = $this->client(
            self::success(['beat' => self::beat()], $headers),
            self::success(self::example('operations', 'listGenres')['reference']['data'], $headers),
            self::success(self::example('operations', 'listBeats')['reference']['data'], $headers),
        );
        foreach ([$client->beats->get(1)->response(), $client->genres->list()->response, $client->beats->list()->response] as $response) {
            self::assertSame(['r', 200], [$response?->requestId, $response?->status]);
            self::assertEquals(new RateLimit(10, 9, 5, null), $response?->rateLimit);
        }
        self::assertNull(Beat::fromArray(self::beat())->response());
    }

    public function testACollectionIsCountableAndIterable(): void
    {
        $genres = $this->client(self::success(self::example('operations', 'listGenres')['reference']['data']))->genres->list();
        $names = [];
        foreach ($genres as $genre) {
            self::assertInstanceOf(Genre::class, $genre);
            $names[] = $genre->slug;
        }
        self::assertCount(count($genres), $names);
        self::assertContains('neo-soul', $names);
    }

    public function testParsesTheExampleOfEachEvent(): void
    {
        foreach (Event::MODELS as $type => $model) {
            $wire = self::example('events', $type);
            $event = Event::fromArray($wire);
            self::assertSame([$type, $wire['id'], $wire['created']], [$event->type, $event->id, $event->created]);
            self::assertSame($model, $event->data::class);
            self::assertSame($wire['data'], $event->data->toArray());
        }
        $purchase = Event::fromArray(self::example('events', EventType::BEAT_PURCHASED))->data;
        self::assertInstanceOf(Purchase::class, $purchase);
        self::assertSame(59.9, $purchase->amount);
    }

    public function testAnEventOfAnUnknownTypeKeepsItsData(): void
    {
        $event = Event::fromArray(['id' => 'evt_1', 'created' => 1, 'type' => 'beat.remixed', 'data' => ['of' => 7]]);
        self::assertSame(['of' => 7], $event->data->toArray());
    }
}
