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
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
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
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.14.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
  ],
  targets: [
    .systemLibrary(name: "CLinux"),
    .target(name: "COpenAPI", exclude: ["openapi.json"]),
    .target(name: "CPage", exclude: ["page"]),
    .target(name: "CSetup"),
    .target(name: "CWipingAllocator"),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .target(
      name: "Router",
      dependencies: [
        "CLinux", "CSQLite", crypto,
        .product(name: "DequeModule", package: collections),
        .product(name: "HeapModule", package: collections),
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
    .target(name: "RouterTesting", dependencies: ["Router"], swiftSettings: settings),
    .executableTarget(
      name: "routerd",
      dependencies: [
        "COpenAPI", "CPage", "CWipingAllocator", "Router", "RouterClient",
        .target(name: "RouterPostgreSQL", condition: .when(traits: ["PostgreSQL"])), crypto,
        .product(name: "ArgumentParser", package: "swift-argument-parser", condition: programs),
        .product(name: "DequeModule", package: collections),
        .product(name: "NIOCore", package: nio, condition: programs),
        .product(name: "NIOHTTP1", package: nio, condition: programs),
        .product(name: "NIOPosix", package: nio, condition: programs),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "OrderedCollections", package: collections),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: programs),
        .product(name: "Yams", package: "Yams", condition: programs),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "routerctl",
      dependencies: [
        "CSetup", "Router", "RouterClient",
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
    .testTarget(
      name: "RouterTests",
      dependencies: [
        "Router", "RouterCompatibility", "RouterTesting", crypto, .product(name: "OrderedCollections", package: collections),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "RouterClientTests",
      dependencies: [
        "Router", "RouterClient", "RouterTesting",
        .product(name: "NIOCore", package: nio, condition: programs),
        .product(name: "NIOHTTP1", package: nio, condition: programs),
        .product(name: "NIOPosix", package: nio, condition: programs),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "routerdTests",
      dependencies: [
        "Router", "RouterTesting", "routerd",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: nio, condition: programs),
        .product(name: "NIOEmbedded", package: nio, condition: programs),
        .product(name: "NIOHTTP1", package: nio, condition: programs),
        .product(name: "NIOPosix", package: nio, condition: programs),
        .product(name: "OrderedCollections", package: collections),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "routerctlTests",
      dependencies: ["Router", "RouterTesting", "routerctl", .product(name: "OrderedCollections", package: collections)],
      swiftSettings: settings),
    .testTarget(
      name: "DocumentationTests",
      dependencies: [
        "Router", "RouterClient", "RouterCompatibility", "RouterTesting",
        .product(name: "OrderedCollections", package: collections),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "Router", "RouterClient", "RouterCompatibility", "RouterTesting", "clean-cache", "deploy", "router-examples",
        "routerctl", "routerd",
        .product(name: "OrderedCollections", package: collections),
      ],
      exclude: ["Connector.c", "Disk/FaultyDisk.c", "Hostile/SlowNames.c", "Shared/first.sql", "Threads/FailingThreads.c"],
      swiftSettings: settings),
  ]
)

// `scripts/test` runs the library's tests under ThreadSanitizer, and builds only what they need.
if Context.environment["ROUTER_TARGETS"] == "library" {
  let library: Set = ["CLinux", "CSQLite", "Router", "RouterCompatibility", "RouterTesting", "RouterTests"]
  package.targets.removeAll { !library.contains($0.name) }
  package.products.removeAll { !library.contains($0.name) }
}
