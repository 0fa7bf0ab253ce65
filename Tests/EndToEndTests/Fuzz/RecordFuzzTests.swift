import OrderedCollections
import Router
import Testing

@testable import routerd

/// Values of every record of the API, generated from its schema, with optional members missing at random.
struct RecordFuzzTests {
  @Test(arguments: Schemas.records.indices) func `writes what it has read, and reads that as the same`(index: Int) throws {
    let seed = TestSeed.make()
    let written = try #require(JSONValue(parsing: OpenAPI.written)["components"]?["schemas"]?.object)
    var schemas = Dictionary(Schemas.all.map { ($0.name, $0.schema) } + written.map { ($0.key, $0.value) }) { $1 }
    // A record does not check the form of its request again.
    schemas["FormSchema"] = ["const": ["type": "object", "properties": ["a": ["type": "string"]]]]
    let components = JSONValue.object(["schemas": .object(OrderedDictionary(uniqueKeysWithValues: schemas.map { ($0, $1) }))])
    var generator = OpenAPIGenerator(document: ["components": components], seed: seed)
    func check<R: Record>(_ type: R.Type) throws {
      let properties = R.definition["properties"]?.object ?? [:]
      let required = R.definition["required"]?.array?.compactMap(\.string) ?? []
      var count = 0
      for _ in 0..<300 {
        let json = generator.value(ofSchema: R.schemaName)
        // Its schema does not have all limits of its texts.
        guard let value = try? R(record: json, at: "") else { continue }
        count += 1
        let written = value.json
        let comment: Comment = "seed \(seed): \(json) was written as \(written)"
        #expect(try R(record: written, at: "").json == written, comment)
        for name in required { #expect(written[name] != nil, comment) }
        // An empty comment is none, and the digest and the number of people follow from the request.
        for (name, member) in json.object ?? [:]
        where member != .null && member != "" && properties[name]?["default"] != member
          && !["actDigest", "requires"].contains(name)
        {
          #expect(written[name] != nil, comment)
        }
      }
      #expect(count > 20, "seed \(seed): only \(count) of \(R.schemaName) were read")
    }
    try check(Schemas.records[index])
  }
}
