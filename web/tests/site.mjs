export async function testSite() {}
