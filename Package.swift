// swift-tools-version: 6.2
import PackageDescription

/// Every target is compiled with these and no others.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

/// What only the programs and the tests need. A package that depends on a library with `traits: []` does not fetch it.
let programs = TargetDependencyCondition.when(traits: ["Programs"])

let collections = "swift-collections"
let nio = "swift-nio"

let package = Package(
  name: "Router",
  products: [
    .library(name: "Router", targets: ["Router"]),
    .library(name: "RouterCompatibility", targets: ["RouterCompatibility"]),
    .library(name: "RouterClient", targets: ["RouterClient"]),
    .library(name: "RouterTesting", targets: ["RouterTesting"]),
    .executable(name: "routerd", targets: ["routerd"]),
    .executable(name: "routerctl", targets: ["routerctl"]),
  ],
  traits: [
    .default(enabledTraits: ["Programs"]),
    .trait(name: "Programs", description: "Build routerd and routerctl, with the packages that they need."),
    .trait(name: "PostgreSQL", description: "Surfaces that several hosts share through PostgreSQL; needs libpq."),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.14.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
  ],
  targets: [
    // Loads libcrypto when it is needed, and so is not linked with it. Its headers are in libssl-dev.
    .target(name: "CCrypto"),
    .systemLibrary(name: "CLinux"),
    .target(name: "COpenAPI", exclude: ["openapi.json"]),
    .target(name: "CPage", exclude: ["page"]),
    .target(name: "CSetup"),
    .target(name: "CWipingAllocator"),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
    // Values, events, rules and what is on the wire: no I/O, clock or thread.
    .target(
      name: "RouterCore",
      dependencies: [
        "CCrypto",
        .product(name: "HeapModule", package: collections),
        .product(name: "OrderedCollections", package: collections),
      ],
      swiftSettings: settings),
    // Threads, timers, descriptors, signals, and what the kernel says of a process.
    .target(name: "RouterSystem", dependencies: ["CLinux", "RouterCore"], swiftSettings: settings),
    // The audit log in SQLite: writing, reading, proof and retention.
    .target(
      name: "RouterLog",
      dependencies: [
        "CSQLite", "RouterCore", "RouterSystem",
        .product(name: "OrderedCollections", package: collections),
      ],
      swiftSettings: settings),
    // Prompts on a terminal.
    .target(
      name: "RouterTerminal",
      dependencies: ["RouterCore", "RouterSystem", .product(name: "OrderedCollections", package: collections)],
      swiftSettings: settings),
    // What a user imports: the coordinator, presenters and the environment, with the values of the modules above.
    .target(
      name: "Router",
      dependencies: [
        "RouterCore", "RouterLog", "RouterSystem", "RouterTerminal",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "OrderedCollections", package: collections),
      ],
      swiftSettings: settings),
    .systemLibrary(name: "CPostgreSQL", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    .target(
      name: "RouterPostgreSQL",
      dependencies: [
        .target(name: "CPostgreSQL", condition: .when(traits: ["PostgreSQL"])), "Router",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: settings),
    .target(name: "RouterClient", dependencies: ["Router"], swiftSettings: settings),
    .target(
      name: "RouterCompatibility",
      dependencies: ["Router", .product(name: "OrderedCollections", package: collections)], swiftSettings: settings),
    .target(name: "RouterTesting", dependencies: ["Router", "RouterClient"], swiftSettings: settings),
    // YAML files: the reader that settings and rules share, and `rules.yaml`.
    .target(
      name: "RouterConfiguration",
      dependencies: [
        "Router", .target(name: "CYAML", condition: programs), .product(name: "OrderedCollections", package: collections),
      ],
      swiftSettings: settings),
    // Helpers of this package's own tests.
    .target(name: "TestSupport", dependencies: ["RouterCore"], path: "Tests/TestSupport", swiftSettings: settings),
    .executableTarget(
      name: "routerd",
      dependencies: [
        "COpenAPI", "CPage", "CWipingAllocator", "Router", "RouterClient", "RouterConfiguration",
        .target(name: "RouterPostgreSQL", condition: .when(traits: ["PostgreSQL"])),
        .product(name: "ArgumentParser", package: "swift-argument-parser", condition: programs),
        .product(name: "DequeModule", package: collections, condition: programs),
        .product(name: "NIOCore", package: nio, condition: programs),
        .product(name: "NIOHTTP1", package: nio, condition: programs),
        .product(name: "NIOPosix", package: nio, condition: programs),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "OrderedCollections", package: collections),
      ],
      swiftSettings: settings),
    // What commands share: exit statuses, arguments, tables and child processes.
    .target(
      name: "RouterCommandLine",
      dependencies: ["Router", .product(name: "ArgumentParser", package: "swift-argument-parser", condition: programs)],
      swiftSettings: settings),
    // The programs that routerctl stands in for: askpass, dialogs, git, GnuPG, sudo and agents.
    .target(
      name: "RouterFrontEnds",
      dependencies: [
        "CCrypto", "Router", "RouterClient", "RouterCommandLine",
        .product(name: "ArgumentParser", package: "swift-argument-parser", condition: programs),
        .product(name: "OrderedCollections", package: collections),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "routerctl",
      dependencies: [
        "CSetup", "CWipingAllocator", "Router", "RouterClient", "RouterCommandLine", "RouterConfiguration", "RouterFrontEnds",
        .product(name: "ArgumentParser", package: "swift-argument-parser", condition: programs),
        .product(name: "OrderedCollections", package: collections),
      ],
      swiftSettings: settings),
    // Not a product: it ships to nobody, and is run from here.
    .executableTarget(
      name: "router-examples",
      dependencies: [
        "Router", "RouterClient", "RouterCompatibility",
        .product(name: "ArgumentParser", package: "swift-argument-parser", condition: programs),
        .product(name: "OrderedCollections", package: collections),
      ],
      path: "Examples/router-examples", swiftSettings: settings),
    // The programs of the README and of the article on showing from Swift.
    .executableTarget(name: "clean-cache", dependencies: ["Router"], path: "Examples/clean-cache", swiftSettings: settings),
    .executableTarget(
      name: "deploy", dependencies: ["Router", "RouterClient"], path: "Examples/deploy", swiftSettings: settings),
    // What needs no clock, thread, file or process. `scripts/test core` builds RouterCore with optimization for them. The tests
    // themselves take longer to optimize than to run.
    .testTarget(
      name: "RouterCoreTests",
      dependencies: ["RouterCore", "TestSupport", .product(name: "OrderedCollections", package: collections)],
      swiftSettings: settings + [.unsafeFlags(["-Onone"], .when(configuration: .release))]),
    // The log, its copies and its proof.
    .testTarget(
      name: "RouterLogTests",
      dependencies: ["Router", "RouterTesting", "TestSupport", .product(name: "OrderedCollections", package: collections)],
      swiftSettings: settings),
    // What starts threads and tasks. `scripts/test` runs these tests under ThreadSanitizer.
    .testTarget(
      name: "RouterTests",
      dependencies: [
        "Router", "RouterCompatibility", "RouterTesting", "TestSupport",
        .product(name: "OrderedCollections", package: collections),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "RouterClientTests",
      dependencies: [
        "Router", "RouterClient", "RouterTesting", "TestSupport",
        .product(name: "NIOCore", package: nio, condition: programs),
        .product(name: "NIOHTTP1", package: nio, condition: programs),
        .product(name: "NIOPosix", package: nio, condition: programs),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "routerdTests",
      dependencies: [
        "Router", "RouterConfiguration", "RouterTesting", "TestSupport", "routerd",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: nio, condition: programs),
        .product(name: "NIOEmbedded", package: nio, condition: programs),
        .product(name: "NIOHTTP1", package: nio, condition: programs),
        .product(name: "NIOPosix", package: nio, condition: programs),
        .product(name: "OrderedCollections", package: collections),
      ],
      swiftSettings: settings),
    // The daemon over a simulated disk, clock and network, on one thread.
    .testTarget(
      name: "SimulatorTests",
      dependencies: [
        "CSQLite", "Router", "RouterClient", "RouterSystem", "TestSupport", "routerd",
        .product(name: "DequeModule", package: collections),
        .product(name: "HeapModule", package: collections),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: nio, condition: programs),
        .product(name: "NIOEmbedded", package: nio, condition: programs),
        .product(name: "OrderedCollections", package: collections),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "routerctlTests",
      dependencies: [
        "Router", "RouterConfiguration", "RouterTesting", "TestSupport", "routerctl",
        .product(name: "OrderedCollections", package: collections),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "DocumentationTests",
      dependencies: [
        "Router", "RouterClient", "RouterCompatibility", "RouterTesting", "routerd",
        .product(name: "OrderedCollections", package: collections),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "RouterExamplesTests", dependencies: ["Router", "RouterTesting", "router-examples"], swiftSettings: settings),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "Router", "RouterClient", "RouterCompatibility", "RouterTesting", "TestSupport", "clean-cache", "deploy",
        "router-examples", "routerctl", "routerd",
        .product(name: "OrderedCollections", package: collections),
      ],
      exclude: [
        "Connector.c", "Disk/FaultyDisk.c", "Hostile/SlowNames.c", "Shared/WrongClock.c", "Shared/first.sql",
        "Threads/FailingThreads.c",
      ],
      swiftSettings: settings),
  ]
)

// `scripts/test` builds the tests in several ways, each with only the targets that it needs.
let core: Set = ["CCrypto", "RouterCore", "RouterCoreTests", "TestSupport"]
let threads: Set = [
  "CCrypto", "CLinux", "CSQLite", "Router", "RouterClient", "RouterCompatibility", "RouterCore", "RouterLog", "RouterLogTests",
  "RouterSystem", "RouterTerminal", "RouterTesting", "RouterTests", "TestSupport",
]
let simulator: Set = [
  "CCrypto", "CLinux", "COpenAPI", "CPage", "CPostgreSQL", "CSQLite", "CWipingAllocator", "CYAML", "Router", "RouterClient",
  "RouterConfiguration", "RouterCore", "RouterLog", "RouterPostgreSQL", "RouterSystem", "RouterTerminal", "SimulatorTests",
  "TestSupport", "routerd",
]
let built: Set<String>? =
  switch Context.environment["ROUTER_TARGETS"] {
  case "core": core
  case "threads": threads
  case "simulator": simulator
  case "programs": Set(package.targets.map(\.name)).subtracting(["RouterTests"])
  default: nil
  }
if let built {
  package.targets.removeAll { !built.contains($0.name) }
  package.products.removeAll { !built.contains($0.name) }
}

// `Benchmarks/attention/run` sends what the hook sends, by the hook's own code.
if Context.environment["ROUTER_TARGETS"] == "attention" {
  package.products.append(.library(name: "RouterFrontEnds", targets: ["RouterFrontEnds"]))
}
