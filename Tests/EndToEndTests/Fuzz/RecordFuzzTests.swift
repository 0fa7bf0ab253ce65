import OrderedCollections
import Router
import Testing

@testable import routerd

/// Values of every record of the API, generated from its schema, with optional members missing at random.
struct RecordFuzzTests {
  @Test(arguments: Schemas.records.indices) func `writes what it has read, and reads that as the same`(index: Int) throws {
    let seed = TestSeed.make()
    let written = try #require(JSONValue(parsing: OpenAPI.written)["components"]?["schemas"]?.object)
    let schemas = Dictionary(Schemas.all.map { ($0.name, $0.schema) } + written.map { ($0.key, $0.value) }) { $1 }
    let components = JSONValue.object(["schemas": .object(OrderedDictionary(uniqueKeysWithValues: schemas.map { ($0, $1) }))])
    var generator = OpenAPIGenerator(document: ["components": components], seed: seed)
    func check<R: Record>(_ type: R.Type) throws {
      let properties = R.definition["properties"]?.object ?? [:]
      let required = R.definition["required"]?.array?.compactMap(\.string) ?? []
      var count = 0
      for _ in 0..<300 {
        let json = generator.value(ofSchema: R.schemaName)
        // Its schema does not have all limits of its texts.
        guard let value = try? R(json: json) else { continue }
        count += 1
        let written = value.json
        let comment: Comment = "seed \(seed): \(json) was written as \(written)"
        #expect(try R(json: written).json == written, comment)
        for name in required { #expect(written[name] != nil, comment) }
        // An empty comment is none.
        for (name, member) in json.object ?? [:]
        where member != .null && member != "" && properties[name]?["default"] != member {
          #expect(written[name] != nil, comment)
        }
      }
      #expect(count > 20, "seed \(seed): only \(count) of \(R.schemaName) were read")
    }
    try check(Schemas.records[index])
  }
}
