// swift-tools-version: 6.2
import PackageDescription

// A separate package, so that nobody builds it by accident.
let package = Package(
  name: "Benchmarks",
  dependencies: [.package(name: "Router", path: "..")],
  targets: [
    .systemLibrary(name: "CBenchmarkSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .executableTarget(
      name: "EnvironmentLookup",
      dependencies: [.product(name: "Router", package: "Router")],
      swiftSettings: [.swiftLanguageMode(.v6)]),
    .executableTarget(
      name: "LogGenerator",
      dependencies: [.product(name: "Router", package: "Router")],
      swiftSettings: [.swiftLanguageMode(.v6)]),
    .executableTarget(
      name: "Micro",
      dependencies: [.product(name: "Router", package: "Router")],
      exclude: ["limits.json"], swiftSettings: [.swiftLanguageMode(.v6)]),
    .executableTarget(
      name: "AppendCost",
      dependencies: ["CBenchmarkSQLite", .product(name: "Router", package: "Router")],
      swiftSettings: [.swiftLanguageMode(.v6)]),
  ]
)

// Needs the hook's code, which is a product of Router only with this variable.
if Context.environment["ROUTER_TARGETS"] == "attention" {
  package.targets.append(
    .executableTarget(
      name: "Attention",
      dependencies: [.product(name: "Router", package: "Router"), .product(name: "RouterFrontEnds", package: "Router")],
      swiftSettings: [.swiftLanguageMode(.v6)]))
}
