"""OpenAI and compatible servers as translators, request by request or in batches.

The product finds both adapters by the entry points of this distribution.
"""
