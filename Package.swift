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

let collections = "swift-collections"
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let nio = "swift-nio"

let package = Package(
  name: "Router",
  products: [
    .library(name: "Router", targets: ["Router"]),
    .library(name: "RouterClient", targets: ["RouterClient"]),
    .library(name: "RouterTesting", targets: ["RouterTesting"]),
    .executable(name: "routerd", targets: ["routerd"]),
    .executable(name: "routerctl", targets: ["routerctl"]),
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
    .target(name: "RouterClient", dependencies: ["Router"], swiftSettings: settings),
    .target(name: "RouterTesting", dependencies: ["Router"], swiftSettings: settings),
    .executableTarget(
      name: "routerd",
      dependencies: [
        "COpenAPI", "CPage", "Router", "RouterClient", crypto,
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "DequeModule", package: collections),
        .product(name: "NIOCore", package: nio),
        .product(name: "NIOHTTP1", package: nio),
        .product(name: "NIOPosix", package: nio),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "OrderedCollections", package: collections),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
        .product(name: "Yams", package: "Yams"),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "routerctl",
      dependencies: [
        "CSetup", "Router", "RouterClient",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "OrderedCollections", package: collections),
      ],
      swiftSettings: settings),
    // Not a product: it ships to nobody, and is run from here.
    .executableTarget(
      name: "router-examples",
      dependencies: [
        "Router", "RouterClient",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "OrderedCollections", package: collections),
      ],
      path: "Examples/router-examples", swiftSettings: settings),
    .testTarget(
      name: "RouterTests",
      dependencies: [
        "Router", "RouterTesting", crypto, .product(name: "OrderedCollections", package: collections),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "RouterClientTests",
      dependencies: [
        "Router", "RouterClient", "RouterTesting",
        .product(name: "NIOCore", package: nio),
        .product(name: "NIOHTTP1", package: nio),
        .product(name: "NIOPosix", package: nio),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "routerdTests",
      dependencies: [
        "Router", "RouterTesting", "routerd",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: nio),
        .product(name: "NIOEmbedded", package: nio),
        .product(name: "NIOHTTP1", package: nio),
        .product(name: "NIOPosix", package: nio),
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
        "Router", "RouterClient", "RouterTesting",
        .product(name: "OrderedCollections", package: collections),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "Router", "RouterClient", "RouterTesting", "router-examples", "routerctl", "routerd",
        .product(name: "OrderedCollections", package: collections),
      ],
      exclude: ["Behaviour/README.md", "Disk/FaultyDisk.c"],
      swiftSettings: settings),
  ]
)
