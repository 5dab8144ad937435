<?php

declare(strict_types=1);

namespace BeatMarket\Test\Package;

use BeatMarket\Client;
use BeatMarket\Test\Program;
use PHPUnit\Framework\TestCase;

final class PackageTest extends TestCase
{
    public function testTheChangelogKeepsToItsForm(): void
    {
        $text = (string) file_get_contents(Program::package() . '/CHANGELOG.md');
        preg_match('/^## (.+)/m', $text, $match);
        self::assertSame('[Unreleased]', $match[1] ?? null);
        self::assertStringContainsString(Client::VERSION, $text);
    }

    public function testThePackageHasItsMetadataAndFiles(): void
    {
        $package = json_decode((string) file_get_contents(Program::package() . '/composer.json'), true, flags: JSON_THROW_ON_ERROR);
        self::assertSame(
            ['beatmarket/beatmarket', Client::VERSION, 'MIT', '>=8.1', 'https://beatmarket.example'],
            [$package['name'], $package['version'], $package['license'], $package['require']['php'], $package['homepage']],
        );
        self::assertSame([], array_diff(['keywords', 'authors', 'description'], array_keys(array_filter($package))));
        self::assertSame(['source', 'issues', 'docs'], array_keys($package['support']));
        $examples = ['mirror', 'sales_report', 'receiver', 'mixing'];
        $files = [...array_map(static fn (string $name): string => "examples/{$name}.php", $examples), 'README.md', 'CHANGELOG.md', 'LICENSE'];
        foreach ([...$files, 'autoload.php'] as $file) {
            self::assertFileExists(Program::package() . '/' . $file);
        }
    }

    public function testItLoadsWithoutComposer(): void
    {
        $file = var_export(Program::package() . '/autoload.php', true);
        $source = "<?php require {$file}; echo (new BeatMarket\\Client('bm_key'))::VERSION; class_exists('BeatMarket\\\\Nothing');";
        self::assertSame([0, Client::VERSION, ''], Program::run($source, []));
    }

    public function testEverythingPublicIsDocumented(): void
    {
        $undocumented = [];
        foreach (self::classes() as $class) {
            $reflection = new \ReflectionClass($class);
            if ($reflection->getDocComment() === false && $reflection->getNamespaceName() !== 'BeatMarket\\Resource') {
                $undocumented[] = $class;
            }
            foreach ($reflection->getMethods(\ReflectionMethod::IS_PUBLIC) as $method) {
                $isOwn = $method->getDeclaringClass()->getName() === $class && str_starts_with((string) $method->getFileName(), Program::package());
                if ($isOwn && $method->getDocComment() === false && !self::isInherited($method)) {
                    $undocumented[] = "{$class}::{$method->getName()}";
                }
            }
        }
        self::assertSame([], $undocumented);
    }

    /** @return list<class-string> */
    private static function classes(): array
    {
        $source = realpath(Program::package()) . '/src/';
        $classes = [];
        foreach (new \RecursiveIteratorIterator(new \RecursiveDirectoryIterator($source, \FilesystemIterator::SKIP_DOTS)) as $file) {
            $name = substr((string) $file, strlen($source), -4);
            /** @var class-string $class */
            $class = 'BeatMarket\\' . strtr($name, '/', '\\');
            $classes[] = $class;
        }
        self::assertGreaterThan(40, count($classes));

        return $classes;
    }

    /** Whether an interface or PHP documents the method, or it needs no documentation. */
    private static function isInherited(\ReflectionMethod $method): bool
    {
        return $method->isConstructor() || $method->hasPrototype() || $method->getFileName() === false
            || str_starts_with($method->getName(), '__') || str_contains((string) $method->getDeclaringClass()->getDocComment(), '@internal');
    }
}
